import { Worker } from 'node:worker_threads';
import { ToolFailure } from '../../errors/tool-error';
import { UsageError } from '../../errors/usage-error';
import { Injectable } from '../injectable';

const LONGEST_HTML = 2_000_000;
const MOST_MS = 5_000;
const MOST_MEGABYTES = 256;

/** What nobody sees on a page, or what says nothing as text. */
const SKIPPED = ['script', 'style', 'noscript', 'template', 'svg', 'img', 'iframe', 'object', 'canvas', '[hidden]', '[aria-hidden=true]'];

const OPTIONS = {
  wordwrap: false,
  limits: { maxInputLength: LONGEST_HTML, maxDepth: 300 },
  selectors: [
    ...SKIPPED.map((selector) => ({ selector, format: 'skip' })),
    { selector: 'table', format: 'dataTable' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
};

// Links are written out in full: an address that stood in the conversation may be fetched without asking.
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const { convert } = require(workerData.library);
const { html, title, url, options } = workerData;
const pathRewrite = (href) => {
  try {
    const address = new URL(href, url);
    return /^https?:$/.test(address.protocol) ? address.href : '';
  } catch {
    return '';
  }
};
const selectors = [...options.selectors, { selector: 'a', options: { pathRewrite, hideLinkHrefIfSameAsText: true, noAnchorUrl: true } }];
parentPort.postMessage({
  title: title === undefined ? '' : convert(title, { wordwrap: false, limits: { maxInputLength: 1000 } }),
  text: convert(html, { ...options, selectors }),
});
`;

/** A page as text; its title is empty where it has none. */
export interface HtmlText {
  readonly title: string;
  readonly text: string;
}

/**
 * Reads HTML as text, by the package html-to-text. It works in a thread of its own with a bound on time and memory: a page that is made to be slow
 * (a hundred thousand nested lists are enough) ends its thread, and holds nothing else up. Replace it to read HTML by other means.
 */
@Injectable()
export class HtmlReader {
  private readonly library: string;

  /** @throws UsageError where the package is not installed, so that a run says it before it begins */
  constructor() {
    try {
      this.library = require.resolve('html-to-text');
    } catch (cause) {
      throw new UsageError('WebTools reads HTML by the package html-to-text, which is not installed. Write `npm install html-to-text`.', {
        cause,
      });
    }
  }

  /** @throws ToolFailure for a page that takes too long, or too much memory */
  async read(html: string, url: string, signal: AbortSignal): Promise<HtmlText> {
    signal.throwIfAborted();
    const worker = new Worker(PROGRAM, {
      eval: true,
      workerData: {
        library: this.library,
        html: html.slice(0, LONGEST_HTML),
        title: /<title[^>]{0,200}>([^<]{1,1000})/i.exec(html.slice(0, 100_000))?.[1],
        url,
        options: OPTIONS,
      },
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
      // Nothing of the host's is any business of a thread that reads foreign text.
      env: {},
      stdout: true,
      stderr: true,
    });
    let timer: NodeJS.Timeout | undefined;
    let stop: (() => void) | undefined;
    try {
      return await new Promise<HtmlText>((resolve, reject) => {
        const fail = (): void => reject(new ToolFailure('The page could not be read: it is too large or too deeply nested.'));
        stop = () => reject(signal.reason as Error);
        worker.once('message', resolve).once('error', fail).once('exit', fail);
        timer = setTimeout(fail, MOST_MS);
        signal.addEventListener('abort', stop, { once: true });
      });
    } finally {
      clearTimeout(timer);
      if (stop !== undefined) signal.removeEventListener('abort', stop);
      void worker.terminate();
    }
  }
}
