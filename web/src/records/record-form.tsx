import { Button, Modal } from '@mantine/core'
import { IconAlertCircle, IconTrash } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTexts } from '../lib/texts.ts'
import { toast } from '../lib/toast.ts'
import { useIsConfirmOpen } from '../ui/confirm.tsx'
import { useDelayedOpen } from '../ui/use-delayed-open.ts'
import { useIsPhone } from '../ui/use-is-phone.ts'
import type { FieldSlot, FormField, FormValues } from './fields/field.ts'
import classes from './form.module.css'
import { FormFields, type FormTab } from './form-fields.tsx'
import type { RecordRow } from './merge-rows.ts'
import { type RecordWords, recordTexts } from './texts.ts'
import { useLeaveGuard } from './use-leave-guard.ts'
import { type RecordFormOptions, useRecordForm } from './use-record-form.ts'

type Props<V extends FormValues, R extends RecordRow> = RecordFormOptions<V, R> & {
  opened: boolean
  /** Whether the form is rendered in place instead of in a dialog. */
  inline?: boolean | undefined
  onClose: () => void
  /** The name of the record, or of the action that creates a record. */
  title: string
  /** Secondary text beside the title, such as "Etiqueta 7". */
  subtitle?: string
  mark?: ReactNode
  size?: 'small' | 'normal'
  fields: FormField<V>[]
  tabs?: FormTab[] | ((values: V) => FormTab[])
  /** A pane beside the fields, such as a preview. The dialog is then 1000 px wide. */
  renderAside?: (slot: FormAsideSlot<V>) => ReactNode
  words: Pick<RecordWords, 'created' | 'saved' | 'remove'>
  /** The label of the button that saves; by default "Guardar". */
  submitLabel?: string
  /** The second row of the toast; by default the title of the dialog. */
  savedDetail?: string
  onRemove?: (() => Promise<boolean>) | undefined
}

/** The pane beside the fields gets their values, and may switch the tab. */
export type FormAsideSlot<V extends FormValues> = {
  form: FieldSlot<V>['form']
  tab: string | undefined
  onTabChange: (key: string) => void
}

/** The dialog of every record (design 8): its fields, validation and footer. */
export function RecordForm<V extends FormValues, R extends RecordRow>(props: Props<V, R>) {
  const { onClose, fields, title, words } = props
  const opened = useDelayedOpen(props.opened)
  const common = useTexts(recordTexts)
  const [tab, setTab] = useState<string>()
  const { form, root, submit, saving, progress, problems } = useRecordForm({
    ...props,
    onProblem: (name) => setTab(fields.find((field) => field.name === name)?.tab),
  })
  const tabs = typeof props.tabs === 'function' ? props.tabs(form.values) : props.tabs
  const [asking, setAsking] = useState(false)
  // A field may ask too, such as before it removes a file.
  const isConfirming = useIsConfirmOpen() || asking
  const sheet = useIsPhone()
  const mayLeave = useLeaveGuard(() => opened && form.isDirty())

  const save = async () => {
    if (!(await submit())) return
    toast.ok(props.row ? words.saved : words.created, props.savedDetail)
    onClose()
  }
  /** Asks and then closes. While the confirmation is open, Escape closes the confirmation, not the form. */
  const confirmThenClose = async (question: () => Promise<boolean>) => {
    if (isConfirming || saving) return
    setAsking(true)
    const yes = await question()
    setAsking(false)
    if (yes) onClose()
  }
  const leave = () => confirmThenClose(mayLeave)
  const onKeyDown = (event: KeyboardEvent) => {
    if (props.inline && event.key === 'Escape') void leave()
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void save()
  }
  const inside = (
    <form
      ref={root}
      className={classes.form}
      noValidate
      aria-busy={saving}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <FormBody aside={props.renderAside?.({ form, tab, onTabChange: setTab })}>
        <FormFields {...{ fields, form, progress, sheet, tab, tabs }} onTabChange={setTab} />
      </FormBody>
      <footer className={classes.foot}>
        {props.onRemove && props.row && (
          <Button
            variant="subtle"
            color="gray"
            className={classes.remove ?? ''}
            leftSection={<IconTrash size={17} stroke={1.75} />}
            onClick={() => props.onRemove && void confirmThenClose(props.onRemove)}
          >
            {sheet ? common.remove : words.remove}
          </Button>
        )}
        <ProblemCount count={problems} />
        <Button variant="default" onClick={() => void leave()}>
          {common.cancel}
        </Button>
        <Button type="submit" loading={saving} aria-keyshortcuts="Control+Enter">
          {props.submitLabel ?? common.save}
        </Button>
      </footer>
    </form>
  )
  if (props.inline)
    return (
      <InlineForm title={title} mark={props.mark} subtitle={props.subtitle}>
        {inside}
      </InlineForm>
    )
  return (
    <Modal
      opened={opened}
      onClose={() => void leave()}
      closeOnEscape={!isConfirming}
      closeOnClickOutside={!isConfirming}
      fullScreen={sheet}
      size={props.renderAside ? 1000 : props.size === 'small' ? 440 : 560}
      title={<FormTitle title={title} subtitle={props.subtitle} mark={props.mark} />}
      closeButtonProps={{ 'aria-label': common.close }}
      classNames={parts}
    >
      {inside}
    </Modal>
  )
}

type InlineProps = { title: string; mark: ReactNode; subtitle?: string | undefined; children: ReactNode }
/** The same form rendered in place. Opening it focuses its first field. */
function InlineForm({ title, mark, subtitle, children }: InlineProps) {
  const root = useRef<HTMLElement>(null)
  useEffect(() => root.current?.querySelector('input')?.focus(), [])
  return (
    <section ref={root} className={classes.inline} aria-label={title}>
      <h2 className={classes.title}>
        <FormTitle title={title} subtitle={subtitle} mark={mark} />
      </h2>
      {children}
    </section>
  )
}

const parts = {
  header: classes.header ?? '',
  content: classes.content ?? '',
  body: classes.body ?? '',
  title: classes.title ?? '',
}

function FormBody({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  if (!aside) return children
  return (
    <div className={classes.beside}>
      <div className={classes.main}>{children}</div>
      {aside}
    </div>
  )
}

function FormTitle({ title, subtitle, mark }: { title: string; subtitle?: string | undefined; mark: ReactNode }) {
  return (
    <>
      {mark}
      <span className={classes.name}>{title}</span>
      {subtitle && <span className={classes.subtitle}>{subtitle}</span>}
    </>
  )
}

function ProblemCount({ count }: { count: number }) {
  const common = useTexts(recordTexts)
  return (
    <span className={classes.toFix} role="status">
      {count > 0 && (
        <>
          <IconAlertCircle aria-hidden="true" size={14} stroke={2} />
          <span>{common.toFix(count)}</span>
        </>
      )}
    </span>
  )
}
