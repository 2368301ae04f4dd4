import 'reflect-metadata';
import { containerOf } from '../../src/container/container-of';
import { Left } from '../fixtures/import-cycle/left';
import { Right } from '../fixtures/import-cycle/right';

test('two files that import each other are reported by class, parameter and fix', () => {
  const attempt = (): unknown => containerOf().get(Left);

  // Which of the two ran first is a matter of the module loader; one of them saw nothing of the other.
  expect(attempt).toThrow(/(Left\(right: \?\): parameter #0 `right`|Right\(left: \?\): parameter #0 `left`)/);
  expect(attempt).toThrow(/import cycle|import each other/);
  expect(attempt).toThrow('@Inject(() => Dep)');
  expect(Right.name).toBe('Right');
});
