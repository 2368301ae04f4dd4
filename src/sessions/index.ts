// Where conversations are kept, how they stay short, and how snapshots stay secret.
export { compactByTokens } from './compact-by-tokens';
export { encryptedSnapshots } from './encrypted-snapshots';
export { FileSessions } from './file-sessions';
export { MemorySessions } from './memory-sessions';
export { SqliteSessions } from './sqlite-sessions';
export type { CompactByTokensOptions } from './compact-by-tokens';
export type { FileSessionsOptions } from './file-sessions';
export type { SqliteDatabase } from './sqlite-sessions';
