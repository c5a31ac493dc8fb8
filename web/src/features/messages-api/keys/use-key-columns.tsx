import { Tooltip } from '@mantine/core'
import type { ApiKey } from '@recado/contract/api-access/api-keys'
import { formatDay, formatDayTime } from '../../../lib/format.ts'
import { type Language, useLanguage, useTexts } from '../../../lib/texts.ts'
import { ClippedText, MutedText } from '../../../records/cells.tsx'
import type { TableColumn } from '../../../records/table-column.ts'
import { Chip } from '../../../ui/chip.tsx'
import { PersonAvatar } from '../../../ui/person-avatar.tsx'
import { StatusChip } from '../../../ui/status-chip.tsx'
import classes from '../keys-tab.module.css'
import { getKeyExpiry } from './key-expiry.ts'
import { keyTexts } from './texts.ts'

export function useKeyColumns(revoke: (key: ApiKey) => void): TableColumn<ApiKey>[] {
  const words = useTexts(keyTexts)
  return [
    { key: 'name', head: words.name, card: 'title', cell: ({ name }) => <ClippedText isStrong>{name}</ClippedText> },
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
      isLowPriority: true,
      cell: ({ lines, linesGone }) => {
        const named = [...lines.map(({ name }) => name), ...(linesGone ? [words.linesGone(linesGone)] : [])]
        return <ClippedText>{named.join(', ') || words.allLines}</ClippedText>
      },
    },
    {
      key: 'used',
      head: words.lastUsed,
      width: 130,
      isLowPriority: true,
      cell: ({ lastUsedAt }) => <LastUsed lastUsedAt={lastUsedAt} />,
    },
    { key: 'expires', head: words.expires, width: 120, card: 'line', cell: (key) => <ExpiresCell apiKey={key} /> },
    {
      key: 'by',
      head: words.by,
      width: 64,
      isLowPriority: true,
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
      alignRight: true,
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

function LastUsed({ lastUsedAt: at }: { lastUsedAt: string | null }) {
  const words = useTexts(keyTexts)
  const [language] = useLanguage()
  if (at === null) return <MutedText>{words.never}</MutedText>
  return <span title={formatDayTime(at)}>{formatAgo(at, language, words.justNow)}</span>
}

/** Formats a past moment: "hace 2 min" within a day, else the date. */
function formatAgo(at: string, language: Language, justNow: string): string {
  const minutes = Math.floor((Date.now() - Date.parse(at)) / 60_000)
  if (minutes < 2) return justNow
  const words = new Intl.RelativeTimeFormat(language, { style: 'short' })
  if (minutes < 60) return words.format(-minutes, 'minute')
  return minutes < 1440 ? words.format(-Math.floor(minutes / 60), 'hour') : formatDayTime(at)
}

function ExpiresCell({ apiKey }: { apiKey: ApiKey }) {
  const words = useTexts(keyTexts)
  const [language] = useLanguage()
  const { kind, days } = getKeyExpiry(apiKey, Date.now())
  if (kind === 'never') return <MutedText>{words.expiresNever}</MutedText>
  if (kind === 'revoked')
    return (
      <span title={formatDayTime(apiKey.revokedAt)}>
        <StatusChip kind="off">{words.revoked}</StatusChip>
      </span>
    )
  if (kind === 'over') return <StatusChip kind="danger">{words.over}</StatusChip>
  if (kind === 'later') return formatDay(apiKey.expiresAt)
  return (
    <b className={classes.soon} title={formatDayTime(apiKey.expiresAt)}>
      {new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(days, 'day')}
    </b>
  )
}
