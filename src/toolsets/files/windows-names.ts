const DEVICE = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])$/i;

/**
 * Why a name means something else to Windows than a file of that name, or `undefined`: devices with any extension, streams, and names that
 * lose their end on the way to the disk ("Naming Files, Paths, and Namespaces").
 */
export function segmentFault(name: string): string | undefined {
  if (/[<>:"|?*]/.test(name)) return 'a name in it contains one of < > : " | ? *';
  if (/[. ]$/.test(name)) return 'a name in it ends with a dot or a space.';
  const base = name.split('.', 1)[0] ?? '';
  if (DEVICE.test(base.trimEnd())) return 'a name in it is that of a device.';
  return undefined;
}
