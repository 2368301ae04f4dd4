/**
 * A call's name as it may be sent back: providers refuse a whole conversation for one name with a dot or a mark-up in it, and
 * models write such names.
 */
export function wireName(name: string): string {
  if (/^[\w-]{1,64}$/.test(name)) return name;
  const plain = name
    .replace(/^functions\./, '')
    .replace(/<\|.*$/s, '')
    .replace(/[^\w-]+/g, '_')
    .slice(0, 64);
  return plain === '' ? 'unknown' : plain;
}
