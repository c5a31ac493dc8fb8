import { ActionIcon, Button, Loader, Textarea } from '@mantine/core'
import type { PromptTryReply } from '@recado/contract/ai/prompts'
import {
  IconAlertTriangle,
  IconBook,
  IconCheck,
  IconCircleCheck,
  IconFileText,
  IconRefresh,
  IconRobot,
  IconSend,
  IconSitemap,
  IconTags,
  IconTool,
  IconUser,
  IconUserShare,
} from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { formatNumber, formatTime } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { texts } from './texts.ts'
import classes from './try.module.css'
import type { PromptTrial, TrialTurn } from './use-try-prompt.ts'

type PromptTexts = (typeof texts)['es']

/** A conversation with the draft before customers get it: nothing is saved or sent to customers. */
export function TryPromptPane({ trial, name }: { trial: PromptTrial; name: string }) {
  const words = useTexts(texts)
  const { turns, isBusy, nextHandler: next } = trial
  const [typed, setTyped] = useState('')
  const box = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever came last is scrolled to
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [turns.length, isBusy])
  const send = () => {
    const text = typed.trim()
    if (text !== '' && trial.send(text, () => setTyped((now) => now || text))) setTyped('')
  }
  return (
    <div className={classes.pane}>
      <header className={classes.head}>
        <h2>{words.tryIt}</h2>
        <span>{words.tryItLine}</span>
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          leftSection={<IconRefresh size={15} stroke={1.75} />}
          disabled={turns.length === 0}
          onClick={trial.restart}
        >
          {words.startOver}
        </Button>
      </header>
      <TrialTotals turns={turns} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section ref={box} className={classes.talk} tabIndex={0} aria-label={words.conversation} aria-live="polite">
        {turns.length === 0 && <p className={classes.hint}>{words.tryHint}</p>}
        {turns.map((turn) =>
          turn.from === 'customer' ? (
            <div key={turn.key} className={classes.customer}>
              {turn.text}
              <time>{formatTime(turn.sentAt)}</time>
            </div>
          ) : (
            <BotAnswer key={turn.key} reply={turn.reply} name={name} />
          ),
        )}
        {isBusy && (
          <div className={classes.waits}>
            <Loader type="dots" size={28} aria-label={words.thinking} />
          </div>
        )}
      </section>
      <div className={classes.composer}>
        {next === 'machine' ? (
          <>
            <Textarea
              aria-label={words.writeAs}
              placeholder={words.writeAs}
              autosize
              minRows={1}
              maxRows={5}
              maxLength={4096}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
                event.preventDefault()
                event.stopPropagation()
                send()
              }}
            />
            <ActionIcon
              variant="light"
              size={34}
              aria-label={words.send}
              disabled={typed.trim() === '' || isBusy}
              onClick={send}
            >
              <IconSend size={17} stroke={1.75} />
            </ActionIcon>
          </>
        ) : (
          <Button
            variant="default"
            fullWidth
            leftSection={<IconRefresh size={16} stroke={1.75} />}
            onClick={trial.restart}
          >
            {words.startOver}
          </Button>
        )}
      </div>
    </div>
  )
}

/** Totals of the conversation so far. */
function TrialTotals({ turns }: { turns: TrialTurn[] }) {
  const words = useTexts(texts)
  const replies = turns.flatMap((turn) => (turn.from === 'bot' ? [turn.reply] : []))
  const sum = (of: (reply: PromptTryReply) => number) => replies.reduce((all, reply) => all + of(reply), 0)
  const unknown = replies.some(({ cost }) => cost === null)
  const mean = replies.length > 0 ? sum(({ ms }) => ms) / replies.length : 0
  const cost = unknown ? '–' : formatDollars(sum((reply) => reply.cost ?? 0))
  return (
    <dl className={classes.figures}>
      <TotalItem name={words.turns}>{formatNumber(replies.length)}</TotalItem>
      <TotalItem name={words.tokens}>{formatNumber(sum(({ tokensIn, tokensOut }) => tokensIn + tokensOut))}</TotalItem>
      <TotalItem name={words.mean}>{formatSeconds(mean)}</TotalItem>
      <TotalItem name={words.cost}>
        <span title={unknown ? words.costUnknown : undefined}>{cost}</span>
      </TotalItem>
    </dl>
  )
}

const TotalItem = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const formatSeconds = (ms: number) => `${formatNumber(Math.round(ms / 100) / 10)} s`
const formatDollars = (cost: number) => `US$ ${formatNumber(Math.round(cost * 10_000) / 10_000, 4)}`

function BotAnswer({ reply, name }: { reply: PromptTryReply; name: string }) {
  const words = useTexts(texts)
  const { sources, deeds: actions, say, next, error, tokensIn, tokensOut, ms } = reply
  return (
    <>
      {sources.length > 0 && (
        <InfoRow icon={IconBook} title={words.searched} line={words.pieces(sources.length)} end="ok" />
      )}
      {actions.map((action, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was done is done, in its order
        <ActionRow key={n} action={action} />
      ))}
      {say.map((text, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was said is said, in its order
        <div key={n} className={classes.bot}>
          <span className={classes.who}>
            <IconRobot size={14} stroke={1.75} aria-hidden="true" />
            {name}
          </span>
          <span>{text}</span>
        </div>
      ))}
      {error !== '' && <InfoRow icon={IconAlertTriangle} title={words.cameToNothing} line={error} kind="warn" />}
      <div className={classes.facts}>
        {sources.map(({ name: source, place }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a place may be named twice
          <span key={n} className={classes.source}>
            <IconFileText size={13} stroke={1.75} aria-hidden="true" />
            {[source, place].filter(Boolean).join(', ')}
          </span>
        ))}
        <span>{words.spent(formatNumber(tokensIn), formatNumber(tokensOut), formatSeconds(ms))}</span>
      </div>
      {next === 'person' && <InfoRow icon={IconUser} title={words.person} line={words.personLine} kind="warn" />}
      {next === 'closed' && <InfoRow icon={IconCircleCheck} title={words.closed} line={words.closedLine} />}
    </>
  )
}

const actionIcons: Record<string, typeof IconTool> = {
  transfer_to_queue: IconSitemap,
  transfer_to_person: IconUserShare,
  set_tag: IconTags,
  end_conversation: IconCircleCheck,
}

function ActionRow({ action: { tool, with: given, ok, name } }: { action: PromptTryReply['deeds'][number] }) {
  const words = useTexts(texts)
  const did: PromptTexts['did'] = words.did
  const title = (did as Record<string, ((name: string) => string) | undefined>)[tool]?.(name) ?? tool
  return (
    <InfoRow
      icon={actionIcons[tool] ?? IconTool}
      title={ok ? title : words.refused(title)}
      line={[tool, given].filter(Boolean).join(' · ')}
      kind={ok ? undefined : 'warn'}
      end={ok ? 'ok' : undefined}
    />
  )
}

type RowProps = {
  icon: typeof IconTool
  title: string
  line: string
  kind?: 'warn' | undefined
  end?: 'ok' | undefined
}
function InfoRow({ icon: Icon, title, line, kind, end }: RowProps) {
  return (
    <div className={classes.deed} data-kind={kind}>
      <span className={classes.mark} aria-hidden="true">
        <Icon size={17} stroke={1.75} />
      </span>
      <span className={classes.did}>
        <b>{title}</b>
        <code>{line}</code>
      </span>
      {end && <IconCheck size={16} stroke={2} aria-hidden="true" />}
    </div>
  )
}
