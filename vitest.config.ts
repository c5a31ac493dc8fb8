import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// The house tests and the stories share the database this file starts.
const globalSetup = ['server/test/global-setup.ts']

// Two cores are what we promise to be quick on. Half of a story is waiting for a browser to draw: a third worker has
// room there. Projects that run together must agree on the number.
const maxWorkers = 3
// Each file closes what it opened, and loading the whole house anew for each cost more than a quarter of all.
const isolate = false
// `expect.poll` and `vi.waitFor` wait long enough for a machine that is busy, and a test has time for several of them.
const setupFiles = ['server/test/wait-timeout.ts']
const expect = { poll: { timeout: 45_000 } }
const testTimeout = 600_000
const hookTimeout = 600_000
const patient = { setupFiles, expect, testTimeout, hookTimeout }
const usual = { pool: 'forks', isolate, maxWorkers, ...patient } as const

/**
 * The largest file of a project comes first, unless it is known how long each took. These are short to read and long to
 * run, since they start and kill processes: left to the end, they would run when nothing else does.
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
      { test: { name: 'scripts', include: ['scripts/**/*.test.mjs'], ...usual } },
      { test: { name: 'contract', include: ['contract/**/*.test.ts'], ...usual } },
      { test: { name: 'whatsapp', include: ['whatsapp/**/*.test.ts'], pool: 'forks', maxWorkers, ...patient } },
      { test: { name: 'web', include: ['web/src/**/*.test.ts'], ...usual } },
      { test: { name: 'server', include: ['server/**/*.test.ts'], globalSetup, ...usual } },
      { test: { name: 'e2e', include: ['e2e/stories/**/*.story.ts'], globalSetup, ...usual } },
    ],
  },
})
