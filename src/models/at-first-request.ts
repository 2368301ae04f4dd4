import type * as AskAndRead from './ask-and-read';
import type * as Chat from './chat-stream';
import type * as Responses from './responses-stream';

// What makes requests and reads answers is loaded with the first of them, as the client's package is: a model may be named, and never asked.
export const asking = (): typeof AskAndRead => require('./ask-and-read') as typeof AskAndRead;
export const chat = (): typeof Chat => require('./chat-stream') as typeof Chat;
export const responses = (): typeof Responses => require('./responses-stream') as typeof Responses;
