import { lookup } from 'node:dns/promises';
import { Injectable } from '../injectable';

/** One address of a host: the IP address, and its family, 4 or 6. */
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
