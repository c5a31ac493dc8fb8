// `npm run vulnerable`: queries the registry for known advisories on the exact versions in package-lock.json,
// and says by when each fix has to be released (SECURITY.md). Fails on high or critical severity.
import { execFile } from 'node:child_process'
import process from 'node:process'

/** Days from today by which a fix must be released, as promised in SECURITY.md; a test compares both. */
export const daysToFix = { critical: 3, high: 14, moderate: 90, low: 90, info: 90 }

/** Formats the result of `npm audit --json` as readable rows, most severe first. */
export function reportOf(audit, today = new Date()) {
  if (!audit?.vulnerabilities)
    throw new Error(`npm audit gave no answer: ${audit?.message ?? audit?.error?.summary ?? ''}`)
  const order = Object.keys(daysToFix)
  const found = Object.values(audit.vulnerabilities).sort(
    (a, b) => order.indexOf(a.severity) - order.indexOf(b.severity),
  )
  const lines = found.map(({ name, severity, range, via }) => {
    const until = new Date(today.getTime() + (daysToFix[severity] ?? 3) * 86_400_000).toISOString().slice(0, 10)
    const why = via.map((one) => (typeof one === 'string' ? `by ${one}` : one.title)).join('; ')
    return `${severity.padEnd(8)} ${name} ${range}: ${why} (fix by ${until})`
  })
  const isGrave = found.some(({ severity }) => severity === 'critical' || severity === 'high')
  return { lines: lines.length ? lines : ['No known advisories.'], isGrave }
}

if (process.argv[1] === import.meta.filename) {
  const npm = process.env.npm_execpath
  const [program, ...args] = npm ? [process.execPath, npm] : ['npm']
  // npm audit exits with 1 when it finds advisories, but still prints the report.
  execFile(program, [...args, 'audit', '--json', '--omit=dev'], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout) => {
    try {
      const { lines, isGrave } = reportOf(JSON.parse(stdout || '{}'))
      console.log(lines.join('\n'))
      process.exitCode = isGrave ? 1 : 0
    } catch (failure) {
      console.error(`The registry could not be asked: ${failure.message} ${error?.message ?? ''}`.trim())
      process.exitCode = 2
    }
  })
}
