import { lookup } from 'node:dns/promises';
import { Injectable } from '../injectable';

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** Finds the addresses of a name. Replace it to answer from elsewhere. */
@Injectable()
export class HostResolver {
  /** All addresses, as the system finds them. */
  resolve(host: string): Promise<readonly HostAddress[]> {
    return lookup(host, { all: true, verbatim: true });
  }
}
