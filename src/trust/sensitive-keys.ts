const SENSITIVE =
  /(?:password|passwordhash|passwd|passphrase|passcode|pwd|secret|secretkey|apikey|accesskey|privatekey|signingkey|encryptionkey|authorization|cookies?|credentials?|token|bearer|jwt|connectionstring|sessionid|otp|cvv|ssn)$/;
// Words of paging and of protocols that only look so.
const HARMLESS = /(?:page|next|previous|continuation|cursor|sync|start)token$/;
const LONGEST_KEY = 100;

const MOST_KNOWN = 2_000;
const known = new Map<string, boolean>();

/** Whether a value under this key is likely to be a secret: `password`, `x-api-key`, `clientSecret`, `access_token`. */
export function isSensitiveKey(key: string): boolean {
  let answer = known.get(key);
  if (answer === undefined) {
    const plain = key
      .slice(-LONGEST_KEY)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '');
    answer = SENSITIVE.test(plain) && !HARMLESS.test(plain);
    if (known.size >= MOST_KNOWN) known.clear();
    if (key.length <= LONGEST_KEY) known.set(key, answer);
  }
  return answer;
}
