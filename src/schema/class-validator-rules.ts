import type { Constraints } from './constraints';

/** What is read of class-validator's storage; structural, so that no typings are imported. */
export interface ValidationMetadata {
  readonly target: unknown;
  readonly propertyName: string;
  readonly type: string;
  readonly name?: string;
  readonly constraints?: readonly unknown[];
  readonly each?: boolean;
  readonly message?: unknown;
}

interface ValidationStorage {
  getTargetValidationMetadatas(cls: Function, schema: string, always: boolean, strictGroups: boolean): ValidationMetadata[];
}

/** The checks that class-validator runs on a class, inherited ones included; none when the library was never used. Loads nothing. */
export function validationsOf(cls: Function): readonly ValidationMetadata[] {
  const storage = (globalThis as { classValidatorMetadataStorage?: ValidationStorage }).classValidatorMetadataStorage;
  return storage === undefined ? [] : storage.getTargetValidationMetadatas(cls, '', false, false);
}

/** What one check says of a value. */
export interface Rule {
  /** The type it asks for, where reflection knows nothing better. */
  readonly type?: unknown;
  readonly values?: unknown;
  readonly constraints?: Constraints;
  /** Whether the codec checks just the same, so class-validator need not run for it. */
  readonly exact: boolean;
  /** Whether it is about the list rather than its items. */
  readonly ofList?: boolean;
}

type RuleOf = (constraints: readonly unknown[]) => Rule;

const exactly = (rule: Omit<Rule, 'exact'>): Rule => ({ ...rule, exact: true });
const nearly = (rule: Omit<Rule, 'exact'>): Rule => ({ ...rule, exact: false });
const text = (constraints?: Constraints): Rule => nearly({ type: String, ...(constraints === undefined ? {} : { constraints }) });
const pattern =
  (source: string): RuleOf =>
  () =>
    text({ pattern: source });
const list = (constraints: Constraints): Rule => exactly({ constraints, ofList: true });

/** class-validator's checks by name; one that is not here says nothing to the model and is left to class-validator. */
const RULES: ReadonlyMap<string, RuleOf> = new Map<string, RuleOf>([
  ['isString', () => exactly({ type: String })],
  ['isBoolean', () => exactly({ type: Boolean })],
  ['isInt', () => exactly({ type: 'integer' })],
  ['isNumber', ([options]) => (hasKeys(options) ? nearly({ type: Number }) : exactly({ type: Number }))],
  ['isDate', () => exactly({ type: Date })],
  ['isArray', () => exactly({ ofList: true })],
  ['isObject', () => nearly({ type: Object })],
  ['isNotEmptyObject', () => nearly({ type: Object })],
  ['isEnum', ([members]) => exactly({ values: members })],
  ['isIn', ([values]) => (Array.isArray(values) && values.every(isScalar) ? exactly({ values }) : nearly({}))],
  ['equals', ([value]) => (isScalar(value) ? exactly({ values: [value] }) : nearly({}))],
  ['min', ([minimum]) => exactly({ constraints: { minimum } })],
  ['max', ([maximum]) => exactly({ constraints: { maximum } })],
  ['isPositive', () => exactly({ constraints: { exclusiveMinimum: 0 } })],
  ['isNegative', () => exactly({ constraints: { exclusiveMaximum: 0 } })],
  ['isDivisibleBy', ([multipleOf]) => nearly({ constraints: { multipleOf } })],
  ['isLatitude', () => nearly({ type: Number, constraints: { minimum: -90, maximum: 90 } })],
  ['isLongitude', () => nearly({ type: Number, constraints: { minimum: -180, maximum: 180 } })],
  ['minLength', ([minLength]) => nearly({ type: String, constraints: { minLength } })],
  ['maxLength', ([maxLength]) => nearly({ type: String, constraints: { maxLength } })],
  ['isLength', ([minLength, maxLength]) => nearly({ type: String, constraints: { minLength, maxLength } })],
  ['isNotEmpty', () => nearly({ constraints: { minLength: 1 } })],
  ['matches', ([given, flags]) => nearly({ type: String, constraints: { pattern: regExpOf(given, flags) } })],
  ['contains', ([seed]) => text({ pattern: escaped(String(seed)) })],
  ['isAlpha', ([locale]) => (locale === undefined || locale === 'en-US' ? text({ pattern: '^[A-Za-z]+$' }) : text())],
  ['isAlphanumeric', ([locale]) => (locale === undefined || locale === 'en-US' ? text({ pattern: '^[0-9A-Za-z]+$' }) : text())],
  ['isHexadecimal', pattern('^(0x|0h)?[0-9A-Fa-f]+$')],
  ['isHexColor', pattern('^#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$')],
  ['isMongoId', pattern('^[0-9A-Fa-f]{24}$')],
  ['isMilitaryTime', pattern('^([01][0-9]|2[0-3]):[0-5][0-9]$')],
  ['isBooleanString', () => text()],
  ['isPort', pattern('^[0-9]{1,5}$')],
  ['isEmail', () => text({ format: 'email' })],
  ['isUuid', () => text({ format: 'uuid' })],
  ['isUrl', () => text({ format: 'uri' })],
  ['isFqdn', () => text({ format: 'hostname' })],
  [
    'isIp',
    ([version]) =>
      text(version === undefined || version === '' ? undefined : { format: version === '6' || version === 6 ? 'ipv6' : 'ipv4' }),
  ],
  ['isDateString', () => text({ format: 'date-time' })],
  ['isIso8601', () => text({ format: 'date-time' })],
  ['isRFC3339', () => text({ format: 'date-time' })],
  ['isRfc3339', () => text({ format: 'date-time' })],
  ['arrayMinSize', ([minItems]) => list({ minItems })],
  ['arrayMaxSize', ([maxItems]) => list({ maxItems })],
  ['arrayNotEmpty', () => list({ minItems: 1 })],
  ['arrayUnique', ([identifier]) => (identifier === undefined ? list({ uniqueItems: true }) : nearly({ ofList: true }))],
  ['arrayContains', () => nearly({ ofList: true })],
  ['arrayNotContains', () => nearly({ ofList: true })],
  ['isDefined', () => exactly({})],
]);

/** Checks of texts that say nothing in JSON Schema beyond that it is one. */
const TEXTS = new Set(
  'isAscii isBase32 isBase58 isBase64 isByteLength isCreditCard isCurrency isDataURI isDecimal isEAN isBIC isBtcAddress isEthereumAddress isFirebasePushId isFullWidth isHSL isHalfWidth isHash isIBAN isISBN isIsbn isISIN isIsin isISO31661Alpha2 isISO31661Alpha3 isISO4217CurrencyCode isISO6391 isISRC isISSN isIdentityCard isJson isJwt isLocale isLowercase isMacAddress isMagnetURI isMimeType isMobilePhone isMultibyte isNumberString isOctal isPassportNumber isPhoneNumber isPostalCode isRgbColor isSemVer isStrongPassword isSurrogatePair isTaxId isTimeZone isUppercase isVariableWidth notContains'
    .split(' ')
    .map((name) => name.toLowerCase()),
);

const BY_LOWER_CASE: ReadonlyMap<string, RuleOf> = new Map([...RULES].map(([name, rule]) => [name.toLowerCase(), rule]));

/** The rule of a check, whatever case this version of class-validator writes its name in. */
export function ruleOf(check: ValidationMetadata): Rule {
  const name = (check.name ?? check.type).toLowerCase();
  const rule = BY_LOWER_CASE.get(name);
  if (rule !== undefined) return rule(check.constraints ?? []);
  return TEXTS.has(name) ? text() : nearly({});
}

const isScalar = (value: unknown): boolean => value === null || ['string', 'number', 'boolean'].includes(typeof value);

const hasKeys = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length > 0;

function regExpOf(given: unknown, flags: unknown): string | RegExp {
  if (typeof flags === 'string' && flags !== '') return new RegExp(given instanceof RegExp ? given.source : String(given), flags);
  return given instanceof RegExp ? given : String(given);
}

const escaped = (seed: string): string => seed.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
