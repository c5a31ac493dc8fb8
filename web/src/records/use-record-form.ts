import { useForm } from '@mantine/form'
import type { ErrorCode } from '@recado/contract/errors'
import { useRef, useState } from 'react'
import type { ZodType } from 'zod'
import { ApiError } from '../lib/api.ts'
import { useErrorText } from '../lib/errors.ts'
import { toast } from '../lib/toast.ts'
import { type FieldProblemDetail, findFieldProblems, useFieldProblemWords } from './field-problems.ts'
import type { FormValues } from './fields/field.ts'
import type { RecordRow } from './merge-rows.ts'

/** Reports the upload progress of a file. */
export type ReportUploadProgress = (key: string, share: number) => void

export type RecordFormOptions<V extends FormValues, R extends RecordRow> = {
  row: R | null
  initial: V
  /** The contract's schema for writing. */
  schema: ZodType
  /** Checks that the contract cannot make, such as a required password for a new user. */
  check?: (values: V, row: R | null) => Record<string, FieldProblemDetail>
  /** Asks before valid values are saved; the form stays open if the answer is false. */
  confirmSave?: ((values: V, row: R | null) => Promise<boolean>) | undefined
  write: (values: V, row: R | null) => Promise<R>
  /** Steps that need an existing row, such as uploading its files. */
  afterSave?: (row: R, values: V, tell: ReportUploadProgress) => Promise<R>
  /** Error codes that belong to one input. */
  fieldByErrorCode?: Partial<Record<ErrorCode, keyof V & string>>
  onSaved: (row: R, isNew: boolean) => void
  /** Called with the name of the first invalid input, to show that input. */
  onProblem?: (name: string) => void
}

/** The form's lifecycle: validate, save, and show every error at its input. */
export function useRecordForm<V extends FormValues, R extends RecordRow>(options: RecordFormOptions<V, R>) {
  const root = useRef<HTMLFormElement>(null)
  const problemWords = useFieldProblemWords()
  const errorText = useErrorText()
  // If the row was saved but its file failed, the next try must not create a second row.
  const writtenRow = useRef(options.row)
  const busy = useRef(false)
  const [saving, setSaving] = useState(false)
  const [progress, setProgress] = useState<Record<string, number>>({})
  const form = useForm<V>({
    initialValues: options.initial,
    validate: (values) => {
      const found = { ...findFieldProblems(options.schema, values), ...options.check?.(values, writtenRow.current) }
      return Object.fromEntries(Object.entries(found).map(([path, problem]) => [path, problemWords(problem)]))
    },
  })

  const showErrors = (error: unknown) => {
    const fields = error instanceof ApiError ? { ...error.fields } : {}
    const errorField = error instanceof ApiError && options.fieldByErrorCode?.[error.code as ErrorCode]
    const words = Object.fromEntries(Object.entries(fields).map(([path, kind]) => [path, problemWords({ kind })]))
    const all = errorField ? { ...words, [errorField]: errorText(error) } : words
    if (Object.keys(all).length === 0) return toast.error(error)
    form.setErrors(all)
    focusFirstProblem(root.current, Object.keys(all), options.onProblem)
  }

  /** Returns true when the record was saved. */
  const submit = async (): Promise<boolean> => {
    if (busy.current) return false
    const { errors } = form.validate() as { errors: Record<string, unknown> }
    if (Object.keys(errors).length > 0) {
      focusFirstProblem(root.current, Object.keys(errors), options.onProblem)
      return false
    }
    busy.current = true
    setSaving(true)
    try {
      const values = form.getValues()
      if (options.confirmSave && !(await options.confirmSave(values, writtenRow.current))) return false
      const row = await options.write(values, writtenRow.current)
      writtenRow.current = row
      const tell: ReportUploadProgress = (key, share) => setProgress((before) => ({ ...before, [key]: share }))
      options.onSaved(options.afterSave ? await options.afterSave(row, values, tell) : row, options.row === null)
      form.resetDirty()
      return true
    } catch (error) {
      showErrors(error)
      return false
    } finally {
      busy.current = false
      setSaving(false)
      setProgress({})
    }
  }
  return { form, root, submit, saving, progress, problems: Object.keys(form.errors).length }
}

/** Focuses the first input with an error, in display order. */
function focusFirstProblem(root: HTMLElement | null, paths: string[], onFound?: (name: string) => void): void {
  const first = [...(root?.querySelectorAll<HTMLElement>('[data-field]') ?? [])].find((field) => {
    const name = field.dataset.field ?? ''
    return paths.some((path) => path === name || path.startsWith(`${name}.`))
  })
  if (first) onFound?.(first.dataset.field ?? '')
  // The focus moves after React has rendered the error, so that the error is announced with the input.
  requestAnimationFrame(() => {
    const input = first?.querySelector<HTMLElement>('[aria-invalid="true"], input:not([type="file"]), textarea, button')
    input?.focus()
    first?.scrollIntoView({ block: 'nearest' })
  })
}
