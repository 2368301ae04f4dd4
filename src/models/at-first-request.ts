import type * as AskAndRead from './ask-and-read';
import type * as Chat from './chat-stream';
import type * as Responses from './responses-stream';

// What makes requests and reads answers is loaded with the first of them, as the client's package is: a model may be named, and never asked.
let askAndRead: typeof AskAndRead | undefined;
let chatStream: typeof Chat | undefined;
let responsesStream: typeof Responses | undefined;

export const asking = (): typeof AskAndRead => (askAndRead ??= require('./ask-and-read') as typeof AskAndRead);
export const chat = (): typeof Chat => (chatStream ??= require('./chat-stream') as typeof Chat);
export const responses = (): typeof Responses => (responsesStream ??= require('./responses-stream') as typeof Responses);
