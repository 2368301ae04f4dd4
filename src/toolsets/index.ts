export { FileTools } from './files/file-tools';
export { FileSystemAccess } from './files/file-system-access';
export type { FileOptions, Root } from './files/file-settings';
export type { EntryType, FileContent, FileStamp, FolderEntry, ReadOptions, WriteOptions } from './files/file-system-access';
