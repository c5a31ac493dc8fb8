import { defineConfig } from 'vitest/config'

// The house tests and the stories share the database this file starts.
const globalSetup = ['server/test/global-setup.ts']

// Two cores are what we promise to be quick on. Half of a story is waiting for a browser to draw: a third worker has
// room there. Projects that run together must agree on the number.
const maxWorkers = 3
// Each file closes what it opened, and loading the whole house anew for each cost more than a quarter of all.
const isolate = false
// `expect.poll` and `vi.waitFor` wait long enough for a machine that is busy, and a test has time for several of them.
const setupFiles = ['server/test/patience.ts']
const expect = { poll: { timeout: 45_000 } }
const testTimeout = 600_000
const hookTimeout = 600_000
const patient = { setupFiles, expect, testTimeout, hookTimeout }
const usual = { pool: 'forks', isolate, maxWorkers, ...patient } as const

export default defineConfig({
  test: {
    maxWorkers,
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
