const WITH_PORT = /^(\[[^\]]+\]|[^:]+):(\d+)$/;

/** Whether a list of hosts holds that of an address: `example.com`, `*.example.com` for what is below it, either with `:port`. */
export function isListed(list: readonly string[], url: URL): boolean {
  const host = plainHost(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list.some((entry) => {
    const [, name = entry, wantedPort = port] = WITH_PORT.exec(entry) ?? [];
    const wanted = plainHost(name);
    return wantedPort === port && (wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : host === wanted);
  });
}

/** Lower case, without the dot of the root and the brackets of IPv6. */
export function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}
