import { IconPaperclip } from '@tabler/icons-react'
import { useTexts } from '../../lib/texts.ts'
import classes from './macros.module.css'
import { StepList } from './step-list.tsx'
import { macroTexts } from './texts.ts'
import type { MacroPreview } from './use-macro-preview.ts'

/** The text, the file and the steps of a macro, with real values. */
export function MacroBody({ preview, fileName }: { preview: MacroPreview; fileName: string | null }) {
  const words = useTexts(macroTexts)
  const { message, steps, errors } = preview
  return (
    <>
      {message && <p className={classes.bubble}>{message}</p>}
      <div className={classes.scroll}>
        {fileName && (
          <div className={classes.step}>
            <span className={classes.tile} data-speaks>
              <IconPaperclip size={16} stroke={1.75} />
            </span>
            <span className={classes.sentence}>{words.attach(fileName)}</span>
          </div>
        )}
        <StepList steps={steps} errors={errors} />
      </div>
    </>
  )
}
