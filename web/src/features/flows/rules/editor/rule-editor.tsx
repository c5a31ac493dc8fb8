import type { Flow } from '@recado/contract/flows/flows'
import { useMemo, useRef, useState } from 'react'
import { useShortcut } from '../../../../lib/shortcuts.ts'
import { useTexts } from '../../../../lib/texts.ts'
import { InsideButton } from '../../runs/inside-button.tsx'
import { resultsById, resultsOfUnchanged } from '../../runs/step-results.ts'
import { useFlowNumbers } from '../../runs/use-flow-numbers.ts'
import { describeRule } from '../../sentence/describe-rule.ts'
import { useSentences } from '../../sentence/use-sentences.ts'
import { ConflictBar } from '../draft/conflict-bar.tsx'
import { moveBetweenTokens, usePublishKey } from '../draft/editor-keys.ts'
import { showFirstProblem, usePublish } from '../draft/use-publish.ts'
import { sumsOf } from '../panel/day-chart.tsx'
import { DryRunNumber, DryRunPanel } from '../panel/dry-run-panel.tsx'
import { rulePanelTexts } from '../panel/panel-texts.ts'
import { useDryRun } from '../panel/use-dry-run.ts'
import { VersionsPanel } from '../panel/versions-panel.tsx'
import { storablePart } from '../rule-draft.ts'
import classes from './editor.module.css'
import { IfBlock } from './if-block.tsx'
import { LimitsBlock } from './limits-block.tsx'
import { PublishButton, RuleHeader } from './rule-header.tsx'
import { ruleEditorTexts } from './texts.ts'
import { ThenBlock } from './then-block.tsx'
import { useRuleDraft } from './use-rule-draft.ts'
import { useRuleNames } from './use-rule-names.ts'
import { WhenBlock } from './when-block.tsx'

/** The draft of a rule. Ctrl Enter publishes it. */
export function RuleEditor({ loaded }: { loaded: Flow }) {
  const words = useTexts(ruleEditorTexts)
  const panelWords = useTexts(rulePanelTexts)
  const rule = useRuleDraft(loaded)
  const { flow, draft, change } = rule
  const { document } = draft
  const names = useRuleNames(flow.names)
  const sentences = useSentences(names)
  const storable = useMemo(() => storablePart(document), [document])
  const dryRun = useDryRun(storable, flow.id)
  const [areVersionsOpen, setVersionsOpen] = useState(false)
  const lines = useRef<HTMLElement>(null)
  const { publish, isPublishing } = usePublish(rule, { onProblem: () => showFirstProblem(lines.current) })
  const version = flow.version?.number ?? null
  const numbers = useFlowNumbers(flow)
  const results = useMemo(
    () => resultsOfUnchanged(document, flow.published, resultsById(numbers?.steps ?? [])),
    [document, flow.published, numbers],
  )
  usePublishKey(publish, words.keys.publish)
  useShortcut('alt+ArrowUp', null, { label: words.keys.up })
  useShortcut('alt+ArrowDown', null, { label: words.keys.down })
  useShortcut('mod+d', null, { label: words.keys.duplicate })
  const said = describeRule(document, sentences)
  return (
    // Keys of the whole page. The words are also reached with Tab.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div className={classes.page} onKeyDown={moveBetweenTokens}>
      <RuleHeader
        flow={flow}
        name={draft.name}
        saveState={rule.saveState}
        areVersionsOpen={areVersionsOpen}
        isPublishing={isPublishing}
        onRename={(name) => change({ name })}
        onVersions={() => setVersionsOpen(!areVersionsOpen)}
        onPublish={() => void publish()}
        onRetry={() => void rule.flush()}
      >
        <InsideButton flow={flow} />
      </RuleHeader>
      <ConflictBar rule={rule} text={words.conflict} />
      <div className={classes.columns}>
        <section
          ref={lines}
          className={classes.left}
          aria-label={words.rule}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          tabIndex={0}
        >
          <p className="rc-sr">
            {sentences.words.leads.triggers} {said.triggers}{' '}
            {said.conditions && `${sentences.words.leads.conditions} ${said.conditions} `}
            {sentences.words.leads.steps} {said.steps}
          </p>
          <WhenBlock
            flow={flow}
            triggers={document.triggers}
            sentences={sentences}
            onChange={(triggers) => change({ document: { ...document, triggers } })}
          />
          <IfBlock
            conditions={document.conditions}
            sentences={sentences}
            onChange={(conditions) => change({ document: { ...document, conditions } })}
          />
          <ThenBlock
            hasReplyWindow={flow.hasReplyWindow}
            document={document}
            sentences={sentences}
            customer={dryRun.run?.hits[0]?.contact.name ?? null}
            results={results}
            onChange={(next) => change({ document: next })}
          />
          <LimitsBlock limits={document.limits} onChange={(limits) => change({ document: { ...document, limits } })} />
        </section>
        <aside className={classes.right} aria-label={areVersionsOpen ? panelWords.versions : panelWords.dryRun}>
          {areVersionsOpen ? (
            <VersionsPanel
              flow={flow}
              document={document}
              sentences={sentences}
              dryRunCount={dryRun.run && sumsOf(dryRun.run).draft}
              flush={rule.flush}
              onRestored={rule.adopt}
              onClose={() => setVersionsOpen(false)}
            />
          ) : (
            <DryRunPanel view={dryRun} document={storable} version={version} sentences={sentences} />
          )}
        </aside>
      </div>
      <footer className={classes.narrowFoot}>
        <DryRunNumber view={dryRun} version={version} />
        <PublishButton flow={flow} isPublishing={isPublishing} onPublish={() => void publish()} />
      </footer>
    </div>
  )
}
