import { Button, Drawer, Skeleton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { Flow } from '@recado/contract/flows/flows'
import { type KeyboardEvent, lazy, Suspense, useMemo, useRef, useState } from 'react'
import { isInOverlay, isTextField } from '../../../lib/shortcut-keys.ts'
import { useShortcut } from '../../../lib/shortcuts.ts'
import { useTexts } from '../../../lib/texts.ts'
import { useIsConfirmOpen } from '../../../ui/confirm.tsx'
import { CountBadge } from '../../../ui/count-badge.tsx'
import { ConflictBar } from '../rules/draft/conflict-bar.tsx'
import { usePublishKey } from '../rules/draft/editor-keys.ts'
import { usePublish } from '../rules/draft/use-publish.ts'
import rules from '../rules/editor/editor.module.css'
import { useRuleNames } from '../rules/editor/use-rule-names.ts'
import { VersionsPanel } from '../rules/panel/versions-panel.tsx'
import { resultsById, resultsOfUnchanged } from '../runs/step-results.ts'
import { useFlowNumbers } from '../runs/use-flow-numbers.ts'
import { useSentences } from '../sentence/use-sentences.ts'
import { useFailingTestCount } from '../test-phone/use-flow-tests.ts'
import { BringMenu } from './bring-menu.tsx'
import type { NumbersOf } from './canvas-context.ts'
import classes from './editor.module.css'
import { countErrors, findProblems } from './flow-findings.ts'
import { FlowHeader, type FlowView } from './flow-header.tsx'
import { FlowList } from './list-form.tsx'
import { type PanelTab, panelTabs, SidePanel } from './side-panel.tsx'
import { flowEditorTexts } from './texts.ts'
import { type FlowEditing, useFlowEditing } from './use-flow-editing.ts'
import { focusPlace } from './use-place-keys.ts'
import { useStepClipboard } from './use-step-clipboard.ts'

const FlowCanvas = lazy(() => import('./canvas.tsx').then((module) => ({ default: module.FlowCanvas })))

/** The draft of a flow: a picture or a list of its steps, and beside it what proves them. */
export function FlowEditor({ loaded }: { loaded: Flow }) {
  const words = useTexts(flowEditorTexts)
  const editing = useFlowEditing(loaded)
  const { rule, document, selected } = editing
  const { flow } = rule
  const sentences = useSentences(useRuleNames(flow.names))
  const of = useMemo(() => ({ words, sentences }), [words, sentences])
  const hasCanvas = useMediaQuery('(min-width: 56.25em)', undefined, { getInitialValueInEffect: false })
  const [chosenView, setView] = useState<FlowView>('canvas')
  const view = hasCanvas ? chosenView : 'list'
  const [tab, setTab] = useState<PanelTab>('step')
  const [isSheetOpen, setSheetOpen] = useState(false)
  const [areVersionsOpen, setVersionsOpen] = useState(false)
  const [reached, setReached] = useState<string | null>(null)
  const root = useRef<HTMLDivElement>(null)
  const aside = useRef<HTMLElement>(null)
  const clipboard = useStepClipboard(editing, of)

  const isSaved = rule.saveState === 'saved'
  const findings = useMemo(
    () => findProblems(document, { hasReplyWindow: flow.hasReplyWindow, nameOf: isSaved ? sentences.nameOf : null }),
    [document, flow.hasReplyWindow, isSaved, sentences.nameOf],
  )
  const findingsByPlace = useMemo(() => Map.groupBy(findings, ({ stepId }) => stepId), [findings])
  const failingTests = useFailingTestCount(flow.id, document)
  const toCheck = findings.length + failingTests
  const numbersOf = useNumbersOf(editing)
  const openPanel = (next: PanelTab, { focus = true } = {}) => {
    setTab(next)
    setVersionsOpen(false)
    if (!hasCanvas) setSheetOpen(true)
    else if (focus) requestAnimationFrame(() => focusFirstField(aside.current))
  }
  const goTo = (stepId: string | null) => {
    setSheetOpen(false)
    setTab('step')
    editing.select(stepId, { focus: true })
  }
  const { publish, isPublishing } = usePublish(rule, {
    onProblem: () => {
      const worst = findings.find(({ level }) => level === 'error')
      openPanel('checks', { focus: false })
      if (worst) editing.select(worst.stepId, { focus: hasCanvas === true })
    },
    describeProblems: words.toFix,
    failingTests,
  })
  usePublishKey(publish, words.keys.publish)
  useEditorKeys({ editing, words, onView: setView, hasCanvas: hasCanvas === true })

  const panel = (
    <SidePanel
      {...{ editing, of, findings, failingTests, numbersOf, tab }}
      onTab={(next) => {
        setTab(next)
        setReached(null)
      }}
      onGo={goTo}
      onReach={setReached}
      onCopy={clipboard.copySelected}
    />
  )
  const versions = (
    <VersionsPanel
      flow={flow}
      document={document}
      sentences={sentences}
      dryRunCount={null}
      flush={rule.flush}
      onRestored={rule.adopt}
      onClose={() => setVersionsOpen(false)}
    />
  )
  const shared = { editing, of, findings: findingsByPlace, numbersOf, version: flow.version?.number ?? null }
  /** Escape leaves the panel for the step that it shows. */
  const onPanelKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isInOverlay(event.target)) return
    if (isOwnPopover(event.target)) return
    focusPlace(root.current, selected[0] ?? null)
  }
  return (
    // Copied steps are those that are selected, wherever the focus is.
    <div
      ref={root}
      className={rules.page}
      onCopy={clipboard.onCopy}
      onCut={clipboard.onCut}
      onPaste={clipboard.onPaste}
    >
      <FlowHeader
        {...{ editing, of, areVersionsOpen, isPublishing }}
        view={hasCanvas ? view : null}
        onView={setView}
        onVersions={() => setVersionsOpen(!areVersionsOpen)}
        onPublish={() => void publish()}
      />
      <ConflictBar rule={rule} text={words.conflict} />
      <BringMenu editing={editing} />
      <p className="rc-sr" aria-live="polite">
        {editing.told}
      </p>
      <div className={classes.columns} data-view={view}>
        {view === 'canvas' ? (
          <Suspense fallback={<CanvasSkeleton />}>
            <FlowCanvas {...shared} reached={reached} onOpenPanel={() => openPanel('step')} />
          </Suspense>
        ) : (
          <FlowList {...shared} onOpenPanel={() => openPanel('step')} />
        )}
        {hasCanvas && (
          <aside ref={aside} className={classes.aside} aria-label={words.panel} onKeyDown={onPanelKey}>
            {areVersionsOpen ? versions : panel}
          </aside>
        )}
      </div>
      {!hasCanvas && (
        <>
          <footer className={classes.foot}>
            {panelTabs.map((one) => (
              <Button
                key={one}
                variant="default"
                rightSection={one === 'checks' && toCheck > 0 ? <CountBadge value={toCheck} kind="warn" /> : undefined}
                onClick={() => openPanel(one)}
              >
                {words.tabs[one]}
              </Button>
            ))}
            <span className={rules.rest} />
            <Button loading={isPublishing} onClick={() => void publish()}>
              {words.publish}
            </Button>
          </footer>
          <PanelSheet
            isOpen={isSheetOpen || areVersionsOpen}
            words={words}
            onClose={() => {
              setSheetOpen(false)
              setVersionsOpen(false)
            }}
          >
            {areVersionsOpen ? versions : panel}
          </PanelSheet>
        </>
      )}
      <p className="rc-sr" role="status">
        {countErrors(findings) > 0 ? words.checks.blocking(countErrors(findings)) : ''}
      </p>
    </div>
  )
}

/** Numbers stand only under steps that are as they were published. */
function useNumbersOf({ document, rule: { flow } }: FlowEditing): NumbersOf {
  const numbers = useFlowNumbers(flow)
  return useMemo(() => {
    const steps = numbers?.steps ?? []
    const unchanged = resultsOfUnchanged(document, flow.published, resultsById(steps))
    const byId = new Map(steps.map((one) => [one.stepId, one]))
    return (stepId) => (unchanged.has(stepId) ? byId.get(stepId) : null)
  }, [document, flow.published, numbers])
}

type KeyOptions = {
  editing: FlowEditing
  words: (typeof flowEditorTexts)['es']
  onView: (view: FlowView) => void
  hasCanvas: boolean
}
/** The keys of the whole page. Those of a step are in `usePlaceKeys`. */
function useEditorKeys({ editing, words, onView, hasCanvas }: KeyOptions): void {
  // In a text the browser undoes what was typed.
  const isAllowedAt = (target: EventTarget | null) => !isTextField(target) && !isInOverlay(target)
  useShortcut('mod+z', () => editing.undo(words, { focus: true }), { label: words.undo, isAllowedAt })
  useShortcut('mod+y', () => editing.redo(words, { focus: true }), { label: words.redo, isAllowedAt })
  useShortcut('mod+shift+z', () => editing.redo(words, { focus: true }), { label: words.redo, isAllowedAt })
  useShortcut('l', () => onView('list'), { label: words.keys.list, isActive: hasCanvas })
  useShortcut('c', () => onView('canvas'), { label: words.keys.canvas, isActive: hasCanvas })
  useShortcut('alt+ArrowUp', null, { label: words.keys.move })
  useShortcut('Insert', null, { label: words.keys.add })
  useShortcut('g', null, { label: words.keys.next })
  useShortcut('mod+d', null, { label: words.keys.duplicate })
  useShortcut('Delete', null, { label: words.keys.remove })
}

const fieldsInPanel = 'textarea, input:not([type="hidden"]), [data-token], button'
function focusFirstField(aside: HTMLElement | null): void {
  const body = aside?.querySelector<HTMLElement>('[role="tabpanel"]')
  const field = body?.querySelector<HTMLElement>('textarea, input:not([type="hidden"])')
  ;(field ?? body?.querySelector<HTMLElement>(fieldsInPanel) ?? body)?.focus()
}

/** A select or token that is open closes on Escape. */
const isOwnPopover = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[aria-expanded="true"], [data-mantine-stop-propagation]') !== null

type SheetProps = {
  isOpen: boolean
  words: (typeof flowEditorTexts)['es']
  onClose: () => void
  children: React.ReactNode
}
function PanelSheet({ isOpen, words, onClose, children }: SheetProps) {
  const isConfirming = useIsConfirmOpen()
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="bottom"
      size="92%"
      title={words.panel}
      closeOnEscape={!isConfirming}
      closeOnClickOutside={!isConfirming}
      closeButtonProps={{ 'aria-label': words.close }}
      classNames={{ content: classes.sheet ?? '', body: classes.sheetBody ?? '' }}
    >
      {children}
    </Drawer>
  )
}

/** Boxes of the real size. */
const CanvasSkeleton = () => (
  <div className={classes.canvasBones} aria-busy="true">
    {[0, 1, 2].map((i) => (
      <Skeleton key={i} width={244} height={108} radius={12} />
    ))}
  </div>
)
