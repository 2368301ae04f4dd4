export { FileTools } from './files/file-tools';
export { FileSystemAccess } from './files/file-system-access';
export type { FileOptions, Root } from './files/file-settings';
export type { EntryType, FileContent, FileStamp, FolderEntry, ReadOptions, WriteOptions } from './files/file-system-access';
export { ShellTools } from './shell/shell-tools';
export { ProcessRunner } from './shell/process-runner';
export type { ShellOptions } from './shell/shell-settings';
export type { ProcessOutcome, ProcessRequest } from './shell/process-runner';
