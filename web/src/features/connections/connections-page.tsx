import { Button } from '@mantine/core'
import { type Connection, connectionsApi, type LineProvider } from '@recado/contract/connections'
import { lineTraits } from '@recado/contract/line-traits'
import { IconArrowsExchange, IconDeviceMobileMessage, IconHeartbeat, IconPlus } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import { currentTexts, defineTexts, useTexts } from '../../lib/texts.ts'
import { lineTexts } from '../../parts/line/line-texts.ts'
import { useApplyLineNews, useLines } from '../../parts/line/use-lines.ts'
import { confirmDelete } from '../../records/confirm-delete.ts'
import { useOpenFormFromAddress } from '../../records/use-open-form-from-address.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { IconHintText } from '../../ui/phone-bar/icon-hint-text.tsx'
import classes from './connections.module.css'
import { lineHealthTexts } from './health/line-health-texts.ts'
import { LineList } from './line-list.tsx'
import { LineSummary } from './line-summary.tsx'
import { listMoveTargets } from './move/move-targets.ts'
import type { SignupRequest } from './signup/line-signup-dialog.tsx'
import { readSignupReturn } from './signup/signup-return.ts'
import { texts } from './texts.ts'
import { useHistoryImportMenuItem } from './use-history-import-menu-item.tsx'

/** The word below the icon, on a phone. */
const hints = defineTexts({ es: { try: 'Probar' }, pt: { try: 'Testar' }, en: { try: 'Try' } })

// Loaded on demand: both dialogs open on a click and are larger than the table.
const LineForm = lazy(() => import('./form/line-form.tsx').then((module) => ({ default: module.LineForm })))
const LineDialog = lazy(() => import('./dialog/line-dialog.tsx').then((module) => ({ default: module.LineDialog })))

const LineHealthDialog = lazy(() =>
  import('./health/line-health-dialog.tsx').then((module) => ({ default: module.LineHealthDialog })),
)

const LinePaceDialog = lazy(() =>
  import('./pace/line-pace-dialog.tsx').then((module) => ({ default: module.LinePaceDialog })),
)

const LineMoveDialog = lazy(() =>
  import('./move/line-move-dialog.tsx').then((module) => ({ default: module.LineMoveDialog })),
)

const LineSignupDialog = lazy(() =>
  import('./signup/line-signup-dialog.tsx').then((module) => ({ default: module.LineSignupDialog })),
)
const SignupReturnedDialog = lazy(() =>
  import('./signup/signup-returned-dialog.tsx').then((module) => ({ default: module.SignupReturnedDialog })),
)

type DialogState = { id: number; showsReason: boolean; opened: boolean; openCount: number }

export function ConnectionsPage() {
  const words = useTexts(texts)
  const can = useCan()
  const lines = useLines()
  const form = useFormState()
  const [dialog, setDialog] = useState<DialogState | null>(null)
  const show = (line: Connection, asksWhy = false) =>
    setDialog((before) => ({
      id: line.id,
      showsReason: asksWhy,
      opened: true,
      openCount: (before?.openCount ?? 0) + 1,
    }))
  const applyNews = useApplyLineNews()
  const remove = useRemoveLine()
  const allLines = lines.data ?? []
  usePollMeters(allLines, lines.refetch)
  const mayEdit = can('connections-page:editOrDeleteConnection')
  const mayAct = can('connections-page:actionButtons')
  const historyMenuItem = useHistoryImportMenuItem()
  const healthWords = useTexts(lineHealthTexts)
  const [healthOf, setHealthOf] = useState<{ id: number; opened: boolean } | null>(null)
  const [paceOf, setPaceOf] = useState<{ id: number; opened: boolean } | null>(null)
  const showHealth = (line: Connection) => setHealthOf({ id: line.id, opened: true })
  const healthMenuItem = (line: Connection) => ({
    key: 'health',
    label: healthWords.menuItem,
    icon: <IconHeartbeat size={16} stroke={1.75} />,
    run: () => showHealth(line),
  })
  const [moveOf, setMoveOf] = useState<{ id: number; opened: boolean; openCount: number } | null>(null)
  const moveMenuItem = (line: Connection) => ({
    key: 'move',
    label: words.move,
    icon: <IconArrowsExchange size={16} stroke={1.75} />,
    run: () => setMoveOf((before) => ({ id: line.id, opened: true, openCount: (before?.openCount ?? 0) + 1 })),
    cannot: listMoveTargets(line, allLines).length > 0 ? '' : words.moveNeedsLine,
  })
  const signup = useSignupState()
  useOpenFormFromAddress(can('connections-page:addConnection'), () => form.open(null))

  const create = can('connections-page:addConnection') && (
    <Button leftSection={<IconPlus size={17} stroke={2} />} onClick={() => form.open(null)}>
      {words.words.create}
    </Button>
  )
  return (
    <div className={classes.page}>
      <PageHeader title={words.words.title} count={lines.data?.length}>
        {can('sandbox-page:use') && <TestPhoneButton />}
        {/* With an empty list the create button is only in the middle of the page. */}
        {lines.data?.length !== 0 && create}
      </PageHeader>
      <div className={classes.tools}>
        <LineSummary lines={allLines} />
        <span className={classes.byItself}>{words.byItself}</span>
      </div>
      <LineList
        query={lines}
        createButton={create}
        commandsFor={(line) => ({
          name: line.name,
          edit: mayEdit ? () => form.open(line) : null,
          remove: mayEdit ? () => void remove(line) : null,
          more: [
            ...(mayEdit && lineTraits[line.provider].account ? [healthMenuItem(line)] : []),
            ...(mayAct ? [historyMenuItem(line)] : []),
            ...(mayEdit && !lineTraits[line.provider].test ? [moveMenuItem(line)] : []),
          ],
        })}
        onShowQr={(line) => show(line)}
        onExplain={(line) => show(line, true)}
        onShowHealth={showHealth}
        onShowPace={(line) => setPaceOf({ id: line.id, opened: true })}
      />
      <Suspense fallback={null}>
        {form.openCount > 0 && (
          <LineForm
            key={form.openCount}
            {...form.slot}
            onClose={form.close}
            onSaved={(line, isNew) => {
              applyNews({ action: 'update', row: line })
              // A new line still has to be connected. For a line moved to the official API, the webhook has to be entered
              // at Meta.
              const before = form.slot.row
              const wasCloud = before !== null && lineTraits[before.provider].account
              if (isNew || (lineTraits[line.provider].account && !wasCloud)) show(line)
            }}
            onSignup={(name) => {
              form.close()
              signup.open({ name, whatsappId: form.slot.row?.id ?? null })
            }}
            onRemove={form.slot.row ? () => remove(form.slot.row as Connection) : undefined}
          />
        )}
        {signup.returned && <SignupReturnedDialog returned={signup.returned} onNobodyWaits={signup.continueHere} />}
        {signup.slot && (
          <LineSignupDialog
            key={`signup ${signup.slot.openCount}`}
            {...signup.slot.request}
            opened={signup.slot.opened}
            onClose={signup.close}
            onConnected={(line) => {
              signup.close()
              applyNews({ action: 'update', row: line })
            }}
          />
        )}
        {moveOf && (
          <LineMoveDialog
            key={`move ${moveOf.openCount}`}
            line={allLines.find((line) => line.id === moveOf.id)}
            lines={allLines}
            opened={moveOf.opened}
            onClose={() => setMoveOf({ ...moveOf, opened: false })}
          />
        )}
        {healthOf && (
          <LineHealthDialog
            line={allLines.find((line) => line.id === healthOf.id)}
            opened={healthOf.opened}
            onClose={() => setHealthOf({ ...healthOf, opened: false })}
          />
        )}
        {paceOf && (
          <LinePaceDialog
            line={allLines.find((line) => line.id === paceOf.id)}
            opened={paceOf.opened}
            onClose={() => setPaceOf({ ...paceOf, opened: false })}
          />
        )}
        {dialog && (
          <LineDialog
            key={dialog.openCount}
            line={allLines.find((line) => line.id === dialog.id)}
            opened={dialog.opened}
            showsReason={dialog.showsReason}
            canUseTestPhone={can('sandbox-page:use')}
            onRefetch={() => void lines.refetch()}
            onClose={() => setDialog({ ...dialog, opened: false })}
            onEdit={(line, provider) => {
              setDialog({ ...dialog, opened: false })
              form.open(line, provider)
            }}
          />
        )}
      </Suspense>
    </div>
  )
}

/** Counts of sent messages are not published, so they are polled while the page is visible. */
const meterPollMs = 20_000

function usePollMeters(lines: Connection[], refetch: () => unknown): void {
  const counts = lines.some(({ pacing }) => pacing && (pacing.dailyCap !== null || pacing.waiting > 0))
  const again = useEffectEvent(refetch)
  useEffect(() => {
    if (!counts) return
    const timer = setInterval(() => again(), meterPollMs)
    return () => clearInterval(timer)
  }, [counts])
}

function TestPhoneButton() {
  const words = useTexts(lineTexts)
  return (
    <Button
      variant="default"
      component={Link}
      {...({ to: '/phone' } as object)}
      leftSection={
        <>
          <IconDeviceMobileMessage size={17} stroke={1.75} />
          <IconHintText>{currentTexts(hints).try}</IconHintText>
        </>
      }
    >
      {words.testPhone}
    </Button>
  )
}

type FormSlotState = { row: Connection | null; opened: boolean; provider?: LineProvider | undefined }

/**
 * The state of the form. A closed form stays mounted until the next one opens, so that it can fade out and return the
 * focus.
 */
function useFormState() {
  const [state, setState] = useState<{ slot: FormSlotState; openCount: number }>({
    slot: { row: null, opened: false },
    openCount: 0,
  })
  return {
    ...state,
    open: (row: Connection | null, provider?: LineProvider) =>
      setState(({ openCount }) => ({ slot: { row, provider, opened: true }, openCount: openCount + 1 })),
    close: () => setState(({ slot, openCount }) => ({ slot: { ...slot, opened: false }, openCount: openCount })),
  }
}

type SignupSlot = { request: SignupRequest; opened: boolean; openCount: number }

/** The state of connecting a number with Meta. `returned`: this is the window in which Meta's dialog returned. */
function useSignupState() {
  const navigate = useNavigate()
  const [slot, setSlot] = useState<SignupSlot | null>(null)
  const [returned, setReturned] = useState(() => readSignupReturn(location.search))
  const open = (request: SignupRequest) =>
    setSlot((before) => ({ request, opened: true, openCount: (before?.openCount ?? 0) + 1 }))
  // The code in the address is used once: going back or reloading does not use it again.
  const clearAddress = useEffectEvent(() => {
    if (returned) void navigate({ to: '.', search: {} as never, replace: true })
  })
  useEffect(() => clearAddress(), [])
  return {
    slot,
    returned,
    open,
    close: () => setSlot((before) => before && { ...before, opened: false }),
    continueHere: () => {
      if (returned) open({ name: '', whatsappId: null, returned })
      setReturned(null)
    },
  }
}

function useRemoveLine(): (line: Connection) => Promise<boolean> {
  const words = useTexts(texts)
  const applyNews = useApplyLineNews()
  return async (line) => {
    const gone = await confirmDelete({
      words: words.words,
      name: line.name,
      consequence: words.consequence,
      remove: () => callApi(connectionsApi.remove, { params: { id: line.id } }),
    })
    if (gone) applyNews({ action: 'delete', id: line.id })
    return gone
  }
}
