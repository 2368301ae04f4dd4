import { Ctx } from '../../decorators/ctx';
import { Param } from '../../decorators/param';
import { Tool } from '../../decorators/tool';
import { Toolset } from '../../decorators/toolset';
import { checkedOptions } from '../../errors/option-check';
import { ToolFailure } from '../../errors/tool-error';
import { ToolContext } from '../../tools/tool-context';
import { ToolResult } from '../../tools/tool-result';
import { classWith, settingsOf } from '../class-settings';
import { isListed } from './host-list';
import { HtmlReader } from './html-reader';
import { HttpFetcher, type FetchedContent } from './http-fetcher';
import { kindOf, textOf } from './page-text';
import { parseAddress } from './parse-address';
import { exemption, WEB_RULES, webSettings, type WebOptions, type WebSettings } from './web-settings';

const TIMEOUT = 25_000;
const LONGEST_ADDRESS = 8_000;
/** Characters of what an error page says. */
const MOST_OF_ERROR = 1_000;
const BY_DEFAULT = webSettings({});

/**
 * One tool that fetches pages of the public internet as text. What it gives is untrusted, and it reaches the open world: once untrusted content is in the
 * conversation, only addresses that stood in it, and hosts that are allowed, are fetched without asking.
 */
@Toolset({ trust: 'untrusted', tags: ['web'], taintExempt: exemption(BY_DEFAULT) })
export class WebTools {
  private readonly settings: WebSettings;

  constructor(
    private readonly fetcher: HttpFetcher,
    private readonly html: HtmlReader,
  ) {
    this.settings = settingsOf<WebSettings>(new.target) ?? BY_DEFAULT;
  }

  /**
   * The toolset with options; `WebTools` itself has the defaults.
   * @throws UsageError for options that it does not know or that are wrong
   * @example toolsets: [WebTools.with({ allowedHosts: ['docs.example.com', '*.wikipedia.org'] })]
   */
  static with(options: WebOptions): typeof WebTools {
    const settings = webSettings(checkedOptions(options, WEB_RULES, 'WebTools.with(…)'));
    const cls = classWith(this, settings);
    Toolset({ taintExempt: exemption(settings) })(cls);
    return cls;
  }

  @Tool({
    description: 'Fetch a page or text by its http or https address, and give it as plain text, with links written out.',
    annotations: { readOnly: true, openWorld: true },
  })
  async fetchUrl(
    @Param('url', {
      type: String,
      description: 'The whole address, such as "https://example.com/docs"',
      minLength: 1,
      maxLength: LONGEST_ADDRESS,
    })
    url: string,
    @Ctx() context: ToolContext,
  ) {
    const { allowedHosts, onlyAllowedHosts, privateHosts, maxBytes } = this.settings;
    const address = parseAddress(url);
    if (address === undefined || !/^https?:$/.test(address.protocol))
      throw new ToolFailure('This is no address that can be fetched. Give one that begins with https:// or http://.');
    if (onlyAllowedHosts && !isListed(allowedHosts, address))
      throw new ToolFailure(`${address.host} may not be fetched here. What may: ${allowedHosts.join(', ') || 'nothing'}.`);
    const content = await this.fetcher.fetch(address, {
      timeout: TIMEOUT,
      maxBytes,
      signal: context.signal,
      mayBePrivate: (at) => isListed(privateHosts, at),
      // An allowed host that passes visitors on would be a way out to any other.
      mayFollow: (from, to) => isListed(allowedHosts, to) || !(onlyAllowedHosts || isListed(allowedHosts, from)),
    });
    const text = await this.textOf(content, context.signal);
    const details = { url: content.url, status: content.status, contentType: content.contentType, bytes: content.bytes.length };
    if (content.status >= 400)
      return ToolResult.content(`${content.url} answered with status ${content.status}.\n${text.slice(0, MOST_OF_ERROR).toWellFormed()}`, {
        isError: true,
        details,
      });
    const note = content.cut ? `\n[only the first ${maxBytes} bytes were read]` : '';
    return ToolResult.content(`${content.url}\n\n${text || '[the page holds no text]'}${note}`, { details });
  }

  private async textOf({ url, bytes, contentType, status }: FetchedContent, signal: AbortSignal): Promise<string> {
    const kind = kindOf(contentType, bytes);
    if (kind === 'binary') {
      if (status >= 400) return '';
      throw new ToolFailure(`It is no text but ${JSON.stringify(contentType.slice(0, 100) || 'binary data')}, ${bytes.length} bytes.`);
    }
    const written = textOf(bytes, contentType, kind);
    if (kind === 'text') return written.trim();
    const { title, text } = await this.html.read(written, url, signal);
    return title === '' ? text.trim() : `${title.replace(/\s+/g, ' ').trim()}\n\n${text.trim()}`;
  }
}
