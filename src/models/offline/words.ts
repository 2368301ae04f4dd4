/** Words that say nothing about what is asked. */
const COMMON = new Set(
  (
    'a an the this that these those there here it its is are was were be been being am do does did doing done have has had having can could ' +
    'will would shall should may might must i me my we us our you your he she they them their his her what which who whom whose when where why ' +
    'how and or but if then than so as at by for from in into of off on onto out over to under up with within without about between through ' +
    'please tell give let want need like know some any each every no not yes just only also very too much more most less few other another such ' +
    'same own again ever never always now today currently current actually really use used using uses get gets got make makes made ones thing ' +
    'things something anything someone anyone via per etc e g s t m re ve ll d not'
  ).split(' '),
);

/**
 * Groups of words that a person and a tool's author use for the same thing. General English: nothing here belongs to any
 * one tool or program.
 */
const GROUPS = [
  'search find locate seek grep query lookup look hunt match mention occur contain define declare implement appear refer reference symbol',
  'list enumerate show display browse directory folder dir tree entry many count inventory overview catalogue catalog',
  'read open view content text say cat print load excerpt inside body',
  'file document doc page note source module script paper record',
  'weather forecast temperature rain snow wind cold warm hot wear coat umbrella jacket sunny climate degree',
  'time clock hour minute date day calendar schedule appointment meeting event',
  'add sum plus total calculate compute arithmetic multiply subtract divide math average number',
  'price cost amount pay charge fee money dollar expensive cheap invoice',
  'order purchase buy delivery shipment parcel package status track',
  'send mail email message notify post deliver write',
  'create insert register save store new put',
  'delete remove erase drop cancel clear',
  'change update edit modify set rename replace',
  'translate translation language convert',
  'person user customer employee people member contact staff name',
  'place city town country location address area region',
] as const;

const CONCEPT_OF = new Map(GROUPS.flatMap((group, at) => group.split(' ').map((word) => [stem(word), at] as const)));

/** The concept of files and the like. The ones before it are what one does with them: finding, listing, reading. */
export const THINGS = 3;

/** Whether a concept says what to do rather than with what. */
export function isAction(concept: number): boolean {
  return concept < THINGS;
}

/** The concept that a stem belongs to, as a number; `undefined` for most. */
export function conceptOf(stemmed: string): number | undefined {
  return CONCEPT_OF.get(stemmed);
}

export function isCommon(word: string): boolean {
  return COMMON.has(word.toLowerCase());
}

const LONGEST_WORD = 80;
// A name in Latin letters ends where another script goes on: some write no blanks between words.
const WORD = /[\p{sc=Latin}\p{N}_$]+|(?:(?!\p{sc=Latin})[\p{L}\p{N}_$])+/gu;

/** The words of a text in lower case and stemmed, common ones dropped; an identifier gives itself and its parts. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    if (word.length > LONGEST_WORD) continue;
    const whole = word.toLowerCase();
    if (!COMMON.has(whole)) terms.push(stem(whole));
    const parts = partsOfIdentifier(word);
    if (parts.length > 1) for (const part of parts) if (part.length > 1 && !COMMON.has(part)) terms.push(stem(part));
  }
  return terms;
}

/** `AgentRunner`, `agent_runner` -> `agent`, `runner`. */
export function partsOfIdentifier(word: string): string[] {
  return word
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[\s_$]+/)
    .filter((part) => part !== '');
}

/** The common root of a word's forms: `defines`, `defined`, `defining` and `definition` are one. Small and English, on purpose. */
export function stem(word: string): string {
  let root = word.toLowerCase();
  if (root.length <= 3 || !/^[a-z]+$/.test(root)) return root;
  root = root.replace(/(ss|us|is)$/, '$1#');
  if (root.endsWith('#')) return root.slice(0, -1);
  root = root
    .replace(/ies$/, 'y')
    .replace(/(x|ch|sh|ss|z)es$/, '$1')
    .replace(/s$/, '');
  root = withoutSuffix(withoutSuffix(root));
  // `running` -> `run`, `defin(e)` -> `defin`.
  root = root.replace(/([bdfgmnprt])\1$/, '$1');
  return root.length > 3 ? root.replace(/e$/, '') : root;
}

function withoutSuffix(word: string): string {
  const bare = word.replace(/(ation|ition|ment|ing|ed|er|or)$/, '');
  return bare.length >= 3 && /[aeiouy]/.test(bare) ? bare : word;
}
