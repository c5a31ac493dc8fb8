import { Button } from '@mantine/core'
import type { Template } from '@recado/contract/cloud'
import { useTexts } from '../../../lib/texts.ts'
import { Sheet, SheetFooter } from '../../../ui/sheet.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { TemplateForm } from './template-form.tsx'
import { TemplateList } from './template-list.tsx'
import { renderTemplateText, type TemplateValues } from './template-text.ts'
import classes from './templates.module.css'
import { texts } from './texts.ts'
import { useTemplates, useTemplateValues } from './use-templates.ts'

/** `text`: the template's text with these values. */
export type ChosenTemplate = { name: string; language: string; variables: TemplateValues; text: string }
type Props = {
  whatsappId: number
  /** The recipient's name. */
  contact: string
  opened: boolean
  onClose: () => void
  onChoose: (chosen: ChosenTemplate) => void
}

/** Only templates without a file can be scheduled: the file could be missing when the message is due. */
const canBeScheduled = ({ media }: Template) => media === null

/** Chooses and fills in a template for a scheduled message, with a preview. */
export function ChooseTemplateDialog({ whatsappId, contact, opened, onClose, onChoose }: Props) {
  const words = useTexts(texts)
  const phone = useIsPhone()
  const templates = useTemplates(whatsappId, canBeScheduled)
  const { completeTemplate: whole, ...filling } = useTemplateValues()
  const { template, values } = filling
  const use = () => {
    const { name, language } = whole() ?? {}
    if (!template || !name || !language) return
    onChoose({ name, language, variables: values, text: renderTemplateText(template, values) })
    onClose()
  }
  return (
    <Sheet opened={opened} onClose={onClose} size={820} title={words.chooseTitle}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          // The surrounding form must not receive the submit event.
          event.stopPropagation()
          use()
        }}
      >
        <div className={classes.panes}>
          {(!phone || !template) && (
            <TemplateList templates={templates} selected={template} onSelect={filling.choose} />
          )}
          {(!phone || template) && <TemplateForm {...filling} contact={contact} />}
        </div>
        <SheetFooter>
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
        </SheetFooter>
      </form>
    </Sheet>
  )
}
