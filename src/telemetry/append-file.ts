import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

interface Waiting {
  readonly line: string;
  readonly written: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Appends lines to a file, whole and in order; what came while the disk was busy is written together.
 *
 * The file is opened for each write, so it may be moved away by whoever rotates it.
 */
export class AppendFile {
  private waiting: Waiting[] = [];
  private busy = false;
  /** Whether the file may end in a piece of a line that a crash or a full disk cut off. */
  private tornTail = true;

  constructor(
    private readonly path: string,
    /** Whether a line counts as written only when it is on the disk, rather than with the operating system. */
    private readonly fsync: boolean,
  ) {}

  /** Resolves when the line is written. @throws what the file system says */
  append(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ line, written: resolve, failed: reject });
      if (!this.busy) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    this.busy = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        await this.write(batch.map(({ line }) => `${line}\n`).join(''));
        for (const { written } of batch) written();
      } catch (error) {
        this.tornTail = true;
        for (const { failed } of batch) failed(error);
      }
    }
    this.busy = false;
  }

  private async write(text: string): Promise<void> {
    const file = await this.open();
    try {
      const { size } = await file.stat();
      const torn = this.tornTail && size > 0 && (await lastByte(file, size)) !== NEWLINE;
      await file.appendFile(torn ? `\n${text}` : text);
      if (this.fsync) await file.datasync();
      this.tornTail = false;
      // A file's name is durable only when its directory is.
      if (this.fsync && size === 0) await syncDirectory(dirname(this.path));
    } finally {
      await file.close();
    }
  }

  private async open(): Promise<FileHandle> {
    try {
      return await open(this.path, 'a+', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
      return open(this.path, 'a+', 0o600);
    }
  }
}

const NEWLINE = 10;

async function lastByte(file: FileHandle, size: number): Promise<number | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 ? buffer[0] : undefined;
}

async function syncDirectory(path: string): Promise<void> {
  // Some systems cannot open a directory, and need not.
  const directory = await open(path, 'r').catch(() => undefined);
  try {
    await directory?.sync();
  } catch {
    // Nothing more can be done for its name.
  } finally {
    await directory?.close();
  }
}
