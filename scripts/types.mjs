// `npm run types`: type-checks every workspace; unchanged workspaces are skipped.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'

const root = join(import.meta.dirname, '..')
for (const part of ['server', 'web', 'e2e']) {
  const memory = join(root, `node_modules/.cache/types/${part}.tsbuildinfo`)
  const args = ['--noEmit', '--incremental', '--tsBuildInfoFile', memory, '-p', part]
  const { status } = spawnSync(join(root, 'node_modules/.bin/tsc'), args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
