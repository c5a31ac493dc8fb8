import type { Flow } from '@recado/contract/flows/flows'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { useShortcut } from '../../../../lib/shortcuts.ts'
import { useTexts } from '../../../../lib/texts.ts'
import { ConflictBar } from '../../rules/draft/conflict-bar.tsx'
import { moveBetweenTokens, usePublishKey } from '../../rules/draft/editor-keys.ts'
import { showFirstProblem, usePublish } from '../../rules/draft/use-publish.ts'
import editorClasses from '../../rules/editor/editor.module.css'
import { IfBlock } from '../../rules/editor/if-block.tsx'
import { PublishButton, RuleHeader } from '../../rules/editor/rule-header.tsx'
import { ruleEditorTexts } from '../../rules/editor/texts.ts'
import { useRuleDraft } from '../../rules/editor/use-rule-draft.ts'
import { useRuleNames } from '../../rules/editor/use-rule-names.ts'
import { WhenBlock } from '../../rules/editor/when-block.tsx'
import { sumsOf } from '../../rules/panel/day-chart.tsx'
import { DryRunPanel } from '../../rules/panel/dry-run-panel.tsx'
import { rulePanelTexts } from '../../rules/panel/panel-texts.ts'
import { useDryRun } from '../../rules/panel/use-dry-run.ts'
import { VersionsPanel } from '../../rules/panel/versions-panel.tsx'
import { storablePart } from '../../rules/rule-draft.ts'
import { InsideButton } from '../../runs/inside-button.tsx'
import { resultsInLine, resultsOfUnchanged } from '../../runs/step-results.ts'
import { useFlowNumbers } from '../../runs/use-flow-numbers.ts'
import { useSentences } from '../../sentence/use-sentences.ts'
import { sequenceTriggerKinds } from '../sequence-draft.ts'
import { ResultNumber, ResultPanel } from './result-panel.tsx'
import classes from './sequence.module.css'
import { SequenceLine } from './sequence-line.tsx'
import { sequenceTexts } from './texts.ts'

/** The draft of a sequence. Ctrl Enter publishes it. */
export function SequenceEditor({ loaded }: { loaded: Flow }) {
  const words = useTexts(sequenceTexts)
  const keys = useTexts(ruleEditorTexts).keys
  const panelWords = useTexts(rulePanelTexts)
  const navigate = useNavigate()
  const sequence = useRuleDraft(loaded)
  const { flow, draft, change } = sequence
  const { document } = draft
  const names = useRuleNames(flow.names)
  const sentences = useSentences(names)
  const storable = useMemo(() => storablePart(document), [document])
  const dryRun = useDryRun(storable, flow.id)
  const numbers = useFlowNumbers(flow)
  const results = useMemo(() => {
    const published = flow.published
    const all = published && numbers ? resultsInLine(published, numbers.steps) : new Map()
    return resultsOfUnchanged(document, published, all)
  }, [document, flow.published, numbers])
  const [areVersionsOpen, setVersionsOpen] = useState(false)
  const steps = useRef<HTMLElement>(null)
  const { publish, isPublishing } = usePublish(sequence, { onProblem: () => showFirstProblem(steps.current) })
  usePublishKey(publish, words.publishKey)
  useShortcut('alt+ArrowUp', null, { label: keys.up })
  useShortcut('alt+ArrowDown', null, { label: keys.down })
  useShortcut('mod+d', null, { label: keys.duplicate })
  return (
    // Keys of the whole page. The words are also reached with Tab.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div className={editorClasses.page} onKeyDown={moveBetweenTokens}>
      <RuleHeader
        flow={flow}
        labels={words.labels}
        name={draft.name}
        saveState={sequence.saveState}
        areVersionsOpen={areVersionsOpen}
        isPublishing={isPublishing}
        onBack={() => void navigate({ to: '/rules', search: { tab: 'sequences' } })}
        onRename={(name) => change({ name })}
        onVersions={() => setVersionsOpen(!areVersionsOpen)}
        onPublish={() => void publish()}
        onRetry={() => void sequence.flush()}
      >
        <InsideButton flow={flow} />
      </RuleHeader>
      <ConflictBar rule={sequence} text={words.conflict} />
      <div className={`${editorClasses.columns} ${classes.columns}`}>
        <section
          ref={steps}
          className={`${editorClasses.left} ${classes.canvas}`}
          aria-label={words.sequence}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          tabIndex={0}
        >
          <div className={classes.column}>
            <div className={classes.start}>
              <p className={classes.cardHead}>
                <span className={classes.startTile}>
                  <IconPlayerPlay size={16} stroke={1.75} aria-hidden="true" />
                </span>
                <b>{words.starts}</b>
              </p>
              <WhenBlock
                flow={flow}
                kinds={sequenceTriggerKinds}
                triggers={document.triggers}
                sentences={sentences}
                onChange={(triggers) => change({ document: { ...document, triggers } })}
              />
              <IfBlock
                conditions={document.conditions}
                sentences={sentences}
                onChange={(conditions) => change({ document: { ...document, conditions } })}
              />
            </div>
            <SequenceLine
              document={document}
              sentences={sentences}
              hasReplyWindow={flow.hasReplyWindow}
              results={results}
              customer={dryRun.run?.hits[0]?.contact.name ?? null}
              onChange={(next) => change({ document: next })}
            />
          </div>
        </section>
        <aside className={editorClasses.right} aria-label={areVersionsOpen ? panelWords.versions : words.result}>
          {areVersionsOpen ? (
            <VersionsPanel
              flow={flow}
              document={document}
              sentences={sentences}
              dryRunCount={dryRun.run && sumsOf(dryRun.run).draft}
              flush={sequence.flush}
              onRestored={sequence.adopt}
              onClose={() => setVersionsOpen(false)}
            />
          ) : (
            <>
              <ResultPanel
                flow={flow}
                numbers={numbers}
                limits={document.limits}
                onLimits={(limits) => change({ document: { ...document, limits } })}
              />
              <DryRunPanel
                view={dryRun}
                document={storable}
                version={flow.version?.number ?? null}
                sentences={sentences}
              />
            </>
          )}
        </aside>
      </div>
      <footer className={editorClasses.narrowFoot}>
        <ResultNumber flow={flow} numbers={numbers} />
        <PublishButton flow={flow} isPublishing={isPublishing} onPublish={() => void publish()} />
      </footer>
    </div>
  )
}
