import { Tooltip } from '@mantine/core'
import type { ApiKey } from '@recado/contract/doors/keys'
import { day, dayTime } from '../../../lib/format.ts'
import { type Language, useLanguage, useTexts } from '../../../lib/texts.ts'
import { Clip, Quiet } from '../../../records/cells.tsx'
import type { Column } from '../../../records/column.ts'
import { Chip } from '../../../ui/chip.tsx'
import { PersonAvatar } from '../../../ui/person-avatar.tsx'
import { StatusChip } from '../../../ui/status-chip.tsx'
import classes from '../keys-tab.module.css'
import { expiryOf } from './expiry.ts'
import { keyTexts } from './texts.ts'

export function useKeyColumns(revoke: (key: ApiKey) => void): Column<ApiKey>[] {
  const words = useTexts(keyTexts)
  return [
    { key: 'name', head: words.name, card: 'title', cell: ({ name }) => <Clip strong>{name}</Clip> },
    {
      key: 'hint',
      head: words.key,
      width: 160,
      card: 'line',
      cell: ({ hint }) => <code className={classes.mono}>{hint}</code>,
    },
    {
      key: 'scopes',
      head: words.scopes,
      width: 240,
      cell: ({ scopes }) => (
        <span className={classes.chips}>
          {scopes.map((scope) => (
            <Chip key={scope} title={words.scope[scope].line}>
              {words.scope[scope].short}
            </Chip>
          ))}
        </span>
      ),
    },
    {
      key: 'lines',
      head: words.lines,
      width: 170,
      low: true,
      cell: ({ lines, linesGone }) => {
        const named = [...lines.map(({ name }) => name), ...(linesGone ? [words.linesGone(linesGone)] : [])]
        return <Clip>{named.join(', ') || words.allLines}</Clip>
      },
    },
    {
      key: 'used',
      head: words.lastUsed,
      width: 130,
      low: true,
      cell: ({ lastUsedAt }) => <Used at={lastUsedAt} />,
    },
    { key: 'expires', head: words.expires, width: 120, card: 'line', cell: (key) => <Expires of={key} /> },
    {
      key: 'by',
      head: words.by,
      width: 64,
      low: true,
      cell: ({ user }) =>
        user ? (
          <Tooltip label={user.name}>
            <span role="img" aria-label={user.name}>
              <PersonAvatar id={user.id} name={user.name} size={24} />
            </span>
          </Tooltip>
        ) : (
          <span title={words.left}>–</span>
        ),
    },
    {
      key: 'revoke',
      head: '',
      width: 104,
      right: true,
      card: 'end',
      cell: (key) =>
        key.revokedAt === null && (
          <button
            type="button"
            className={classes.revoke}
            aria-label={words.revokeNamed(key.name)}
            onClick={() => revoke(key)}
          >
            {words.revoke}
          </button>
        ),
    },
  ]
}

function Used({ at }: { at: string | null }) {
  const words = useTexts(keyTexts)
  const [language] = useLanguage()
  if (at === null) return <Quiet>{words.never}</Quiet>
  return <span title={dayTime(at)}>{ago(at, language, words.justNow)}</span>
}

/** "hace 2 min" within a day, else the day itself. */
function ago(at: string, language: Language, justNow: string): string {
  const minutes = Math.floor((Date.now() - Date.parse(at)) / 60_000)
  if (minutes < 2) return justNow
  const words = new Intl.RelativeTimeFormat(language, { style: 'short' })
  if (minutes < 60) return words.format(-minutes, 'minute')
  return minutes < 1440 ? words.format(-Math.floor(minutes / 60), 'hour') : dayTime(at)
}

function Expires({ of }: { of: ApiKey }) {
  const words = useTexts(keyTexts)
  const [language] = useLanguage()
  const { kind, days } = expiryOf(of, Date.now())
  if (kind === 'never') return <Quiet>{words.expiresNever}</Quiet>
  if (kind === 'revoked')
    return (
      <span title={dayTime(of.revokedAt)}>
        <StatusChip kind="off">{words.revoked}</StatusChip>
      </span>
    )
  if (kind === 'over') return <StatusChip kind="danger">{words.over}</StatusChip>
  if (kind === 'later') return day(of.expiresAt)
  return (
    <b className={classes.soon} title={dayTime(of.expiresAt)}>
      {new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(days, 'day')}
    </b>
  )
}
