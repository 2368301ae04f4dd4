import { BLOCKS, complaintsOfBlocks } from './blocks';

/*
 * Every ```ts block of README.md and docs/*.md is a module of its own and compiles under the package's own tsconfig.json.
 *
 * A name that a block neither declares nor imports is taken from the nearest place that has it: an earlier block of the page,
 * a block of the README, an entry point of the package. An import of a relative file stands for those earlier blocks. What is
 * not meant to compile is marked as `text`.
 */

describe('code on the pages', () => {
  let complaints: readonly (readonly string[])[] = [];
  beforeAll(() => {
    complaints = complaintsOfBlocks();
  }, 180_000);

  test.each(BLOCKS.map(({ page, line }, at) => ({ page, line, at })))('$page:$line compiles', ({ at }) => {
    expect(complaints[at]).toEqual([]);
  });
});
