import { ActionIcon, Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, Suspense } from 'react'
import { useIsPhone } from '../ui/use-is-phone.ts'
import { BulkActions, type BulkActionWords } from './bulk-actions.tsx'
import { confirmDelete } from './confirm-delete.ts'
import type { RecordRow } from './merge-rows.ts'
import { RecordCards } from './record-cards.tsx'
import { type ListFilters, RecordsFrame } from './records-frame.tsx'
import { RecordsTable } from './records-table.tsx'
import type { RowAction, RowCommands, RowTone, TableColumn } from './table-column.ts'
import type { RecordWords } from './texts.ts'
import { useFormSlot } from './use-form-slot.ts'
import { useOpenFormFromAddress, useOpenRowFromAddress } from './use-open-form-from-address.ts'
import { type RecordList, type RecordSource, useRecords } from './use-records.ts'
import { useSelectedRows } from './use-selected-rows.ts'

/** The props that a form gets from the list that opened it. */
export type FormSlot<R> = {
  row: R | null
  /** The value of `?new` in the address, if the address opened the form. */
  requested?: string | undefined
  opened: boolean
  onClose: () => void
  onSaved: (row: R, isNew: boolean) => void
  /** Absent when the row may not be deleted. */
  onRemove?: (() => Promise<boolean>) | undefined
}

export type RecordsPageProps<R extends RecordRow> = {
  source: RecordSource<R>
  words: RecordWords
  columns: TableColumn<R>[]
  nameOf: (row: R) => string
  icon: ReactNode
  /** Absent when `open` navigates to a separate page. */
  form?: (slot: FormSlot<R>) => ReactNode
  open?: (row: R | null) => void
  /** Loads the code of the form, which is not needed to render the list. */
  loadForm?: () => Promise<unknown>
  remove: (row: R) => Promise<unknown>
  /** The consequence of deleting this row. */
  consequence: (row: R) => string | Promise<string>
  permissions: { create: boolean; edit: (row: R) => boolean; remove: (row: R) => boolean }
  actions?: RowAction<R>[]
  tone?: (row: R) => RowTone | undefined
  hasTallRows?: boolean
  /** A mark at the left of each card on a phone. */
  mark?: (row: R) => ReactNode
  hint?: ReactNode
  filters?: ListFilters
  /** Texts for deleting several rows at once, where there is room for a table. */
  bulkTexts?: BulkActionWords
  /** Other actions on the whole list, before the create button. */
  extraActions?: (records: RecordList<R>) => ReactNode
  /** Alternative views, beside the title. */
  views?: ReactNode
  isEmbedded?: boolean
}

/** A record screen, defined by its columns, its form and its texts. */
export function RecordsPage<R extends RecordRow>(props: RecordsPageProps<R>) {
  const { source, words, columns, nameOf, permissions, actions = [], tone, hasTallRows, mark } = props
  const records = useRecords(source)
  const form = useFormSlot<R>()
  const open = props.open ?? form.open
  useOpenFormFromAddress(permissions.create && !props.open, form.openRequested)
  useOpenRowFromAddress(records.rows, (row) => permissions.edit(row) && open(row))
  const small = useIsPhone()
  const remove = useRemove(props, records)
  const picked = useSelectedRows(records.rows, permissions.remove)
  const several = !small && props.bulkTexts && records.rows.some(permissions.remove) ? props.bulkTexts : null
  const hint =
    several && picked.rows.length > 0 ? (
      <BulkActions
        {...{ selection: picked, words: several, remove: props.remove }}
        onRemoved={({ id }) => records.apply({ action: 'delete', id })}
      />
    ) : (
      props.hint
    )

  const offer = (row: R): RowCommands => ({
    name: nameOf(row),
    edit: permissions.edit(row) ? () => open(row) : null,
    remove: permissions.remove(row) ? () => void remove(row) : null,
    more: actions
      .filter((action) => action.isOffered?.(row) ?? true)
      .map(({ key, label, icon, run, direct }) => ({
        key,
        label,
        icon,
        run: () => run(row),
        ...(direct && { direct: direct(nameOf(row)) }),
      })),
  })
  const isEmpty = records.rows.length === 0 && !records.search && !props.filters?.isActive
  const create = permissions.create && (
    <CreateButton label={words.create} icon={!!props.isEmbedded && small && !isEmpty} onClick={() => open(null)} />
  )
  const action = props.extraActions ? (
    <>
      {props.extraActions(records)}
      {create}
    </>
  ) : (
    create
  )
  const Rows = small ? RecordCards : RecordsTable
  const { row } = form.slot
  return (
    <>
      <RecordsFrame
        {...{ words, records, action, icon: props.icon, filters: props.filters, hint, isEmbedded: props.isEmbedded }}
        views={props.views}
        onPointerEnter={() => void props.loadForm?.()}
      >
        {(scrollRef) => (
          <Rows
            {...{
              rows: records.rows,
              columns,
              offer,
              tone,
              hasTallRows: hasTallRows,
              mark,
              scrollRef: scrollRef,
              label: words.title,
            }}
            picked={several ? picked : undefined}
          />
        )}
      </RecordsFrame>
      {form.used > 0 && props.form && (
        <Suspense fallback={null}>
          <RenderForm
            key={form.used}
            render={props.form}
            slot={{
              ...form.slot,
              onClose: form.close,
              onSaved: (saved, isNew) => records.apply({ action: isNew ? 'create' : 'update', row: saved }),
              onRemove: row && permissions.remove(row) ? () => remove(row) : undefined,
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** The button for the primary action. Beside a search on a phone there is room for its icon only. */
function CreateButton({ label, icon, onClick }: { label: string; icon: boolean; onClick: () => void }) {
  if (icon) {
    return (
      <ActionIcon variant="filled" color="petrol" size={44} aria-label={label} onClick={onClick}>
        <IconPlus size={20} stroke={2} />
      </ActionIcon>
    )
  }
  return (
    <Button leftSection={<IconPlus size={17} stroke={2} />} onClick={onClick}>
      {label}
    </Button>
  )
}

const RenderForm = <R,>({ render, slot }: { render: (slot: FormSlot<R>) => ReactNode; slot: FormSlot<R> }) =>
  render(slot)

function useRemove<R extends RecordRow>(props: RecordsPageProps<R>, records: RecordList<R>) {
  return async (row: R) => {
    const consequence = props.consequence(row)
    const gone = await confirmDelete({
      words: props.words,
      name: props.nameOf(row),
      // Without a wait for a text that is known: the confirmation opens at once.
      consequence: typeof consequence === 'string' ? consequence : await consequence,
      remove: () => props.remove(row),
    })
    if (gone) records.apply({ action: 'delete', id: row.id })
    return gone
  }
}
