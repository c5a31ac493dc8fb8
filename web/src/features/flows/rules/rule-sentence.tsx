import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { useTexts } from '../../../lib/texts.ts'
import { describeRule, ruleParts } from '../sentence/describe-rule.ts'
import type { Sentences } from '../sentence/sentences.ts'
import classes from './rules.module.css'
import { rulesTexts } from './texts.ts'

/** A whole rule as one sentence. */
export function RuleSentence({ document, sentences }: { document: FlowDocument | null; sentences: Sentences }) {
  const words = useTexts(rulesTexts)
  if (!document) return <span className={classes.sentence}>{words.tooLong}</span>
  const said = describeRule(document, sentences)
  if (!said.triggers && !said.steps) return <span className={classes.sentence}>{words.incomplete}</span>
  return (
    <span className={classes.sentence}>
      {ruleParts.map(
        (part) =>
          said[part] && (
            <span key={part}>
              <b>{sentences.words.leads[part]}</b> {said[part]}{' '}
            </span>
          ),
      )}
    </span>
  )
}
