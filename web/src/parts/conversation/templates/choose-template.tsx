import { Button } from '@mantine/core'
import type { Template } from '@recado/contract/cloud'
import { useTexts } from '../../../lib/texts.ts'
import { Sheet, SheetFoot } from '../../../ui/sheet.tsx'
import { usePhone } from '../../../ui/use-phone.ts'
import { TemplateForm } from './template-form.tsx'
import { TemplateList } from './template-list.tsx'
import { sayingOf, type Values } from './template-words.ts'
import classes from './templates.module.css'
import { texts } from './texts.ts'
import { useFilling, useTemplates } from './use-template.ts'

/** `saying`: what it says with these words in it. */
export type ChosenTemplate = { name: string; language: string; variables: Values; saying: string }
type Props = {
  whatsappId: number
  /** Who will read it. */
  contact: string
  opened: boolean
  onClose: () => void
  onChosen: (chosen: ChosenTemplate) => void
}

/** A file could be gone when its time comes: only those without one can wait. */
const canWait = ({ media }: Template) => media === null

/** A template for something that goes out later: chosen, filled, seen. */
export function ChooseTemplate({ whatsappId, contact, opened, onClose, onChosen }: Props) {
  const words = useTexts(texts)
  const phone = usePhone()
  const templates = useTemplates(whatsappId, canWait)
  const { whole, ...filling } = useFilling()
  const { template, values } = filling
  const use = () => {
    const { name, language } = whole() ?? {}
    if (!template || !name || !language) return
    onChosen({ name, language, variables: values, saying: sayingOf(template, values) })
    onClose()
  }
  return (
    <Sheet opened={opened} onClose={onClose} size={820} title={words.chooseTitle}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          // The form from which this was opened must not hear of it.
          event.stopPropagation()
          use()
        }}
      >
        <div className={classes.panes}>
          {(!phone || !template) && <TemplateList templates={templates} chosen={template} onChoose={filling.choose} />}
          {(!phone || template) && <TemplateForm {...filling} contact={contact} />}
        </div>
        <SheetFoot>
          {phone && template && (
            <Button variant="subtle" color="gray" className={classes.back ?? ''} onClick={() => filling.choose(null)}>
              {words.others}
            </Button>
          )}
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" disabled={!template}>
            {words.use}
          </Button>
        </SheetFoot>
      </form>
    </Sheet>
  )
}
