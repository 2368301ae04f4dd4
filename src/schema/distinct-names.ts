/** Whether no two have the same name. For lists that people write: each is compared with each. */
export function haveDistinctNames(named: readonly { readonly name: string }[]): boolean {
  for (let at = 1; at < named.length; at++)
    for (let before = 0; before < at; before++) if (named[at]!.name === named[before]!.name) return false;
  return true;
}
