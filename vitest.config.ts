import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// The server tests and the stories share the database that this file starts.
const globalSetup = ['server/test/global-setup.ts']

// Fast on two cores: stories spend half their time waiting for a browser, which leaves room for a third worker.
// Projects that run together must use the same number.
const maxWorkers = 3
// Each test file closes what it opened, and reloading the whole server per file took over a quarter of the time.
const isolate = false
// Timeouts of `expect.poll` and `vi.waitFor` suit a busy machine, and a test has time for several of them.
const setupFiles = ['server/test/wait-timeout.ts']
const expect = { poll: { timeout: 45_000 } }
const testTimeout = 600_000
const hookTimeout = 600_000
const slowMachineOptions = { setupFiles, expect, testTimeout, hookTimeout }
/**
 * They judge the CPU time of their own process. Each has a process of its own, because a garbage collection takes longer
 * in one that keeps the modules and results of other test files.
 */
const eventLoopTests = 'server/test/event-loop-*.test.ts'
const serverTestOptions = { pool: 'forks', isolate, maxWorkers, ...slowMachineOptions } as const

/**
 * Vitest starts with a project's largest file unless it knows earlier durations. These files are small but slow,
 * because they start and kill processes. If they came last, each would run alone at the end.
 */
const longer = /\/(chaos|crash-recovery|line-distribution|backup|demo)\.test\.ts$/
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project)
    const rank = ({ moduleId }: TestSpecification) => Number(!longer.test(moduleId))
    return [...byProject.values()].flatMap((some) => some.toSorted((a, b) => rank(a) - rank(b)))
  }
}

export default defineConfig({
  test: {
    maxWorkers,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { name: 'scripts', include: ['scripts/**/*.test.mjs'], ...serverTestOptions } },
      { test: { name: 'contract', include: ['contract/**/*.test.ts'], ...serverTestOptions } },
      {
        test: {
          name: 'whatsapp',
          include: ['whatsapp/**/*.test.ts'],
          pool: 'forks',
          maxWorkers,
          ...slowMachineOptions,
        },
      },
      { test: { name: 'web', include: ['web/src/**/*.test.ts'], ...serverTestOptions } },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          exclude: [...configDefaults.exclude, eventLoopTests],
          globalSetup,
          ...serverTestOptions,
        },
      },
      {
        test: {
          name: 'event-loop',
          include: [eventLoopTests],
          globalSetup,
          pool: 'forks',
          maxWorkers,
          ...slowMachineOptions,
        },
      },
      { test: { name: 'e2e', include: ['e2e/stories/**/*.story.ts'], globalSetup, ...serverTestOptions } },
    ],
  },
})
