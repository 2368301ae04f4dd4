import type { Report } from '../errors/option-check';
import { className } from './class-chain';
import type { ReportMissing } from './method-contract';

/** The parameters of a class whose types nothing tells, said once for the whole class. */
export class MissingMetadata {
  private readonly places: { readonly where: string; readonly name: string; readonly description: string }[] = [];

  readonly add: ReportMissing = (where, name, description) => {
    // In the quotes that hold it, so that the line can be taken over.
    const said = typeof description === 'string' ? `, description: ${quoted(description)}` : '';
    this.places.push({ where, name, description: said });
  };

  report(cls: Function, report: Report): void {
    const [first] = this.places;
    if (first === undefined) return;
    const more = this.places.slice(1, 10).map((place) => place.where);
    const rest = this.places.length > 10 ? `, and ${this.places.length - 10} more` : '';
    const also = more.length === 0 ? '' : ` The same holds for ${more.join('; ')}${rest}.`;
    report({
      where: first.where,
      what: `its type is unknown: no type metadata was emitted for ${className(cls)}. esbuild and tsx emit none; tsc needs "emitDecoratorMetadata": true.${also}`,
      fix:
        first.name === 'Dto'
          ? `compile with "emitDecoratorMetadata", or write the type: @Args(() => TheDto)`
          : `compile with "emitDecoratorMetadata", or write the type: @Param('${first.name}', { type: String${first.description} })`,
    });
  }
}

const LONGEST = 60;

function quoted(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return short.includes("'") ? JSON.stringify(short) : `'${short.replaceAll('\n', '\\n')}'`;
}
