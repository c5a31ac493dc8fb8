// `npm run proof`: collects the latest results of other commands in docs/proof.json and docs/proof.md. No number is
// typed by hand: `npm run chaos`, `npm test` and `npm run bench` write their results under data/.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const root = join(import.meta.dirname, '..')
const places = {
  chaos: 'data/proof/chaos.json',
  tests: 'data/proof/tests.json',
  bench: 'data/bench/report.json',
}

/** Maps claims to the test files that prove them, by path prefix. */
const held = {
  'Nothing is lost': [
    'server/chaos/',
    'server/test/crash-recovery.test.ts',
    'server/test/two-processes.test.ts',
    'server/src/automation/inbox/',
    'server/src/automation/outbox/',
    'server/src/lines/cloud/crash-recovery.test.ts',
  ],
  'Nobody gets in': [
    'server/test/tenant-isolation.test.ts',
    'server/test/permissions.test.ts',
    'server/test/fuzz.test.ts',
    'server/test/api-keys.test.ts',
    'server/test/regex-patterns.test.ts',
    'server/test/event-loop-texts.test.ts',
    'server/src/accounts/',
    'server/src/kernel/http/',
    'server/src/kernel/outgoing/',
  ],
  'It comes back': [
    'server/backup/',
    'server/import-export/',
    'server/test/upgrade.test.ts',
    'server/src/kernel/postgres/',
  ],
}

/** Renders docs/proof.md from the collected results. */
export function proofOf({ chaos, tests, bench }) {
  return `${[
    '# Check our claims',
    'Each claim, the command that tests it, and its last result. `npm run proof` writes this page from `proof.json`; a test compares the two.',
    claim('Nothing is lost', 'npm run chaos', chaos && ofChaos(chaos), tests),
    claim('Nobody gets in', 'npm test', undefined, tests),
    claim('It grows', 'npm run bench', bench?.map(ofBench).join('\n\n'), undefined),
    claim('It comes back', 'npm test', undefined, tests),
  ].join('\n\n')}\n`
}

function claim(name, command, figures, tests) {
  const files = tests && held[name] ? ofTests(held[name], tests) : undefined
  const found = [figures, files].filter(Boolean)
  return [`## ${name}`, `\`${command}\``, ...(found.length ? found : ['Not run yet.'])].join('\n\n')
}

const sum = (all, of) => all.reduce((total, one) => total + of(one), 0)
const table = (head, rows) => [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

/** Printed with the chaos results: what the chaos run does not cover, and which tests cover it. */
const notDriven =
  'Every second customer writes to a linked phone, the others to an official line. The fake of Meta and our own WhatsApp server keep the record of the phones; on the linked phone customers send text only, and campaigns stay on the official line. The record of the sandbox phone is in the database under test, so it cannot be a witness; `server/test/crash-recovery.test.ts` kills the server under it.'

function ofChaos({ at, machine, runs }) {
  const total = (key) => sum(runs, (run) => run[key] ?? 0)
  const befell = {}
  for (const run of runs)
    for (const [what, times] of Object.entries(run.misfortunes)) befell[what] = (befell[what] ?? 0) + times
  return [
    `${at.slice(0, 10)}, ${machine}. Customers, agents, a menu, campaigns and schedules ran on two processes. At the end the phones' own record, the database and every agent's screen were compared.`,
    table(
      [
        'seeds',
        'steps',
        'messages in',
        'messages out',
        'lost',
        'doubled',
        'out of order',
        'misdirected',
        'sent again by hand',
      ],
      [
        [
          runs.map((run) => run.seed).join(', '),
          ...['steps', 'in', 'out', 'lost', 'doubled', 'disordered', 'astray', 'pressed'].map(total),
        ],
      ],
    ),
    `Failures injected: ${Object.entries(befell)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([what, times]) => `${what} ${times}`)
      .join(', ')}. "Sent again by hand" are messages that the server showed as unsure, and a person sent once more.`,
    notDriven,
  ].join('\n\n')
}

function ofTests(paths, { at, files }) {
  const rows = paths.flatMap((path) => {
    const own = Object.entries(files).filter(([file]) => file.startsWith(path))
    if (!own.length) return []
    const [passed, failed] = ['passed', 'failed'].map((key) => sum(own, ([, counts]) => counts[key]))
    return [[`\`${path}\``, passed, failed]]
  })
  return rows.length ? `Tests, ${at.slice(0, 10)}:\n\n${table(['where', 'passed', 'failed'], rows)}` : undefined
}

function ofBench({ at, machine, figures }) {
  const rows = figures
    .filter(({ aim }) => aim !== undefined)
    .map(({ part, name, of, value, unit, aim, better }) => [
      ...[part, of ? `${name}, ${of}` : name, `${Math.round(value * 100) / 100}${unit}`],
      `${better === 'less' ? '≤' : '≥'} ${aim}`,
      (better === 'less' ? value <= aim : value >= aim) ? 'yes' : 'no',
    ])
  return `${at.slice(0, 10)}, ${machine}.\n\n${table(['part', 'what', 'result', 'target', 'met'], rows)}`
}

/** The reports, newest last, each reduced to the parts that no later report contains. */
export function withReport(reports, report) {
  const parts = new Set(report.figures.map(({ part }) => part))
  const left = reports.map((one) => ({ ...one, figures: one.figures.filter(({ part }) => !parts.has(part)) }))
  return [...left.filter(({ figures }) => figures.length), report]
}

if (process.argv[1] === import.meta.filename) {
  const kept = join(root, 'docs/proof.json')
  const before = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {}
  // Results of commands that were not run again are kept.
  const found = Object.entries(places).flatMap(([name, place]) =>
    existsSync(join(root, place)) ? [[name, JSON.parse(readFileSync(join(root, place), 'utf8'))]] : [],
  )
  const results = { ...before, ...Object.fromEntries(found) }
  // A report contains only the parts that were run; the others come from the previous report.
  if (results.bench !== before.bench) results.bench = withReport(before.bench ?? [], results.bench)
  writeFileSync(kept, `${JSON.stringify(results, null, 1)}\n`)
  writeFileSync(join(root, 'docs/proof.md'), proofOf(results))
  console.log(`docs/proof.md has the results of ${found.map(([name]) => name).join(', ') || 'no new run'}`)
}
