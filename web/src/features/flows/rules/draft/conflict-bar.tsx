import { Button } from '@mantine/core'
import { useTexts } from '../../../../lib/texts.ts'
import { toast } from '../../../../lib/toast.ts'
import classes from '../editor/editor.module.css'
import { ruleEditorTexts } from '../editor/texts.ts'
import type { useRuleDraft } from '../editor/use-rule-draft.ts'

type Props = { rule: ReturnType<typeof useRuleDraft>; text: string }

/** Somebody else saved the draft meanwhile: whose changes stay. */
export function ConflictBar({ rule, text }: Props) {
  const words = useTexts(ruleEditorTexts)
  if (rule.saveState !== 'conflict') return null
  return (
    <div className={classes.conflict} role="alert">
      <span className={classes.grow}>{text}</span>
      <Button size="compact-sm" variant="default" onClick={() => void rule.takeTheirs().catch(toast.error)}>
        {words.takeTheirs}
      </Button>
      <Button size="compact-sm" onClick={() => void rule.keepMine().catch(toast.error)}>
        {words.keepMine}
      </Button>
    </div>
  )
}
