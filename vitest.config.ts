import { defineConfig } from 'vitest/config'

// The house tests and the stories share the database this file starts.
const globalSetup = ['server/test/global-setup.ts']

export default defineConfig({
  test: {
    // Two cores are what we promise to be quick on. Projects of one group must agree on the number of workers.
    maxWorkers: 2,
    projects: [
      { test: { name: 'contract', include: ['contract/**/*.test.ts'], pool: 'forks', maxWorkers: 2 } },
      { test: { name: 'web', include: ['web/src/**/*.test.ts'], pool: 'forks', maxWorkers: 2 } },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup,
          pool: 'forks',
          maxWorkers: 2,
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/stories/**/*.story.ts'],
          globalSetup,
          pool: 'forks',
          // A browser and a server already fill two cores: one story after the other, after everything else.
          maxWorkers: 1,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
