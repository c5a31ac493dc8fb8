import { useTexts } from '../../lib/texts.ts'
import { MacroBody } from './macro-body.tsx'
import classes from './macros.module.css'
import { useStepSentences } from './step-list.tsx'
import { macroTexts } from './texts.ts'
import { type PreviewProps, useMacroPreview } from './use-macro-preview.ts'

/** What the highlighted macro would write and do, with real values. */
export default function MacroDetails(props: PreviewProps) {
  const words = useTexts(macroTexts)
  const { macro } = props
  const preview = useMacroPreview(props)
  const sentences = useStepSentences(preview.steps)
  return (
    <div className={classes.details}>
      <div className={classes.head}>
        <b>{macro.name}</b>
        <span>
          {words.from[macro.audience]} · {words.uses(macro.uses)}
        </span>
      </div>
      {/* Screen readers hear the steps with the option; the rest is for wide screens. */}
      <span className="rc-sr" role="status">
        {sentences.map(({ text }) => text).join('. ')}
      </span>
      <div aria-hidden="true">
        <MacroBody preview={preview} fileName={macro.mediaName} />
        <div className={classes.foot}>
          <span>{words.prepared}</span>
          <kbd>↵</kbd> {words.prepare}
        </div>
      </div>
    </div>
  )
}
