import { systemClock } from '../src/kernel/clock.ts'
import type { Config } from '../src/kernel/config.ts'
import { makeVault } from '../src/kernel/crypto.ts'
import { makeFiles } from '../src/kernel/files/files.ts'
import { startPostgres } from '../src/kernel/postgres/embedded.ts'
import type { ReportBackupProgress } from './create-backup.ts'

/** The database and files of this installation, whether it runs or not. Opening changes nothing. */
export async function openInstallation(config: Config) {
  const { dataDir, databaseUrl, appSecret } = config
  const postgres = databaseUrl ? null : await startPostgres({ dataDir })
  const files = makeFiles(config, makeVault(appSecret), systemClock)
  return {
    databaseUrl: databaseUrl ?? (postgres as { url: string }).url,
    files,
    appSecret,
    close: async () => postgres?.stop(),
  }
}

/** Prints the progress at intervals. */
export function makeProgressReporter(): ReportBackupProgress {
  const counts = new Map<string, number>()
  let last = performance.now()
  return (what, done) => {
    counts.set(what, (counts.get(what) ?? 0) + done)
    if (performance.now() - last < 10_000) return
    last = performance.now()
    process.stderr.write(
      `  ${[...counts].map(([name, count]) => `${count.toLocaleString('en')} ${name}`).join(', ')} …\n`,
    )
  }
}

export const formatMegabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`
