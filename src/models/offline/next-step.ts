import type { Message, UserMessage } from '../../types/message';
import type { ModelRequest } from '../model';
import { answerText, declineText, questionFor } from './answer';
import type { ArgumentSource } from './arguments';
import { evidenceOf, type Evidence } from './evidence';
import { mentionsOf, type Mentions } from './mentions';
import { outputArguments } from './output-arguments';
import { isSubject, relevanceOf, type Relevance } from './relevance';
import { chooseTool, vocabularyOf, type Choice } from './tool-choice';
import { termsOf } from './words';

/** What the model does next. */
export type Step =
  { readonly kind: 'call'; readonly tool: string; readonly arguments: object } | { readonly kind: 'say'; readonly text: string };

/** Chooses a tool and fills its arguments, or answers from what the tools gave so far. */
export function nextStep(request: ModelRequest): Step {
  const { messages, tools, toolChoice } = request;
  const asked = messages.findLastIndex((message) => message.role === 'user');
  const question = asked < 0 ? '' : textOf(messages[asked] as UserMessage);
  const since = messages.slice(asked + 1);
  const called = calledIn(since);
  const mentions = mentionsOf(question);
  const evidence = evidenceOf(since, called.argumentsOf);
  const vocabulary = vocabularyOf(tools);
  const how = new Set([...vocabulary.terms, ...termsOf([...mentions.paths, ...mentions.folders].join(' '))]);
  const relevance = relevanceOf(evidence, question, [...mentions.names, ...mentions.quoted], called.sought, how);
  if (typeof toolChoice === 'object') return forced(request, toolChoice.tool, question, evidence, relevance, mentions);
  if (toolChoice !== 'none' && tools.length > 0 && (!relevance.answered || toolChoice === 'required')) {
    const source: ArgumentSource = { question, mentions, paths: relevance.paths, values: evidence.values, toolTerms: vocabulary.terms };
    const followUp = relevance.paths.length > 0 ? pointedOn(vocabulary, source, called.names) : undefined;
    const { choice, lacking } = chooseTool(vocabulary, source, called.names);
    const next = followUp ?? choice;
    const nothingToLookUp =
      next === undefined || (lacking !== undefined && lacking.score > next.score && !termsOf(question).some(isSubject));
    const asks = lacking !== undefined && called.names.size === 0 && nothingToLookUp;
    if (asks) return { kind: 'say', text: questionFor(lacking) };
    if (next !== undefined) return { kind: 'call', tool: next.known.tool.name, arguments: next.filled.values };
  }
  if (called.names.size === 0) return { kind: 'say', text: declineText(tools) };
  return { kind: 'say', text: answerText(question, evidence, relevance) };
}

/** A tool that takes the path which the results point on. */
function pointedOn(vocabulary: ReturnType<typeof vocabularyOf>, source: ArgumentSource, called: ReadonlySet<string>): Choice | undefined {
  const { choice } = chooseTool(vocabulary, { ...source, question: `${source.question} read content` }, called);
  const takesPath = choice?.known.parameters.some(
    (parameter) => parameter.kind === 'path' && parameter.required && source.paths.includes(String(choice.filled.values[parameter.name])),
  );
  return takesPath === true ? choice : undefined;
}

/** A forced tool is called with what is at hand: it is how an agent asks for its output. */
function forced(request: ModelRequest, name: string, question: string, evidence: Evidence, relevance: Relevance, mentions: Mentions): Step {
  const tool = request.tools.find((one) => one.name === name);
  if (tool === undefined) return { kind: 'say', text: declineText(request.tools) };
  const text = evidence.lines.length > 0 ? answerText(question, evidence, relevance) : question;
  return {
    kind: 'call',
    tool: name,
    arguments: outputArguments(tool, { question, text, mentions, values: evidence.values, paths: relevance.paths }),
  };
}

interface CallsSoFar {
  readonly names: ReadonlySet<string>;
  readonly argumentsOf: ReadonlyMap<string, string>;
  /** The arguments of the calls that gave something. */
  readonly sought: string;
}

function calledIn(messages: readonly Message[]): CallsSoFar {
  const names = new Set<string>();
  const argumentsOf = new Map<string, string>();
  const sought: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool' && message.outcome === 'ok' && message.parts.length > 0)
      sought.push(valuesText(argumentsOf.get(message.callId)));
    if (message.role !== 'assistant') continue;
    for (const call of message.calls) {
      names.add(call.name);
      argumentsOf.set(call.id, call.arguments);
    }
  }
  return { names, argumentsOf, sought: sought.join(' ') };
}

/** The texts among a call's arguments, without their names. */
function valuesText(args: string | undefined): string {
  return [...(args ?? '').matchAll(/:\s*"([^"\\]{1,300})"/g)].map(([, value]) => value).join(' ');
}

function textOf(message: UserMessage): string {
  return message.parts
    .map((part) => (part.type === 'text' ? part.text : part.type === 'json' ? (JSON.stringify(part.value) ?? '') : ''))
    .join('\n');
}
