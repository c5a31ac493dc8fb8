import { Button } from '@mantine/core'
import type { Ticket } from '@recado/contract/tickets'
import { IconArrowLeft, IconSend } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import { Sheet, SheetFooter } from '../../../ui/sheet.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { TemplateForm } from './template-form.tsx'
import { TemplateList } from './template-list.tsx'
import classes from './templates.module.css'
import { texts } from './texts.ts'
import { useSendTemplate, useTemplates } from './use-templates.ts'

type Props = { ticket: Ticket; opened: boolean; onClose: () => void }

/** Chooses, fills in, previews and sends a template. WhatsApp allows templates after a day without a customer message. */
export function TemplateDialog({ ticket, opened, onClose }: Props) {
  const words = useTexts(texts)
  const phone = useIsPhone()
  const templates = useTemplates(ticket.whatsappId)
  const templateForm = useSendTemplate(ticket, onClose)
  const { template } = templateForm
  // A phone has room for either the list or the form.
  const [list, form] = [!phone || !template, !phone || template]
  return (
    <Sheet opened={opened} onClose={onClose} size={820} title={words.title}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void templateForm.send()
        }}
      >
        <div className={classes.panes}>
          {list && <TemplateList templates={templates} selected={template} onSelect={templateForm.choose} />}
          {form && <TemplateForm {...templateForm} contact={ticket.contact.name} />}
        </div>
        <SheetFooter>
          {phone && template && (
            <Button
              variant="subtle"
              color="gray"
              className={classes.back ?? ''}
              leftSection={<IconArrowLeft size={17} stroke={1.75} />}
              onClick={() => templateForm.choose(null)}
            >
              {words.others}
            </Button>
          )}
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button
            type="submit"
            loading={templateForm.busy}
            disabled={!template}
            leftSection={<IconSend size={16} stroke={1.75} />}
          >
            {words.send}
          </Button>
        </SheetFooter>
      </form>
    </Sheet>
  )
}
