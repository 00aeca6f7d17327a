import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take long for their size, by which the others are sorted. */
const slowFiles = [
  'test/stories/a-killed-server-computes-the-same-fees.test.ts',
  'test/stories/a-city-is-backed-up-and-restored.test.ts',
  'test/stories/an-operator-sees-only-its-own.test.ts',
  'test/engines/shape-hours.test.ts',
  'test/engines/metrics.test.ts',
]

/** Starts slow files first, so that the last workers of a part finish at about the same time. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) =>
      slowFiles.includes(path.relative(this.ctx.config.root, moduleId))
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
