import type { UseFormReturnType } from '@mantine/form'
import type { Currency } from '@recado/contract/money/currency'
import type { ReactNode } from 'react'

export type FormValues = Record<string, unknown>
export type FieldOption = { value: string; label: string }

type CommonFieldProps<V extends FormValues> = {
  name: keyof V & string
  label: string
  help?: ReactNode
  required?: boolean
  /** The field's share of a row, if there is room. */
  span?: 'half' | 'third' | 'two-thirds'
  /** The tab of the field, in a form with tabs. */
  tab?: string
  /** If set, the field is hidden while this returns false. */
  when?: (values: V) => boolean
}

/** A file in a form: a newly chosen file, the stored file, or none. */
export type FileValue = { file: File | null; stored: StoredFile | null }
/** A stored file. Its URL expires; `renew` requests a valid URL. */
export type StoredFile = { name: string; url: string; renew?: () => Promise<string | null> }

/** The props of a custom field. */
export type FieldSlot<V extends FormValues> = {
  form: UseFormReturnType<V>
  name: keyof V & string
  error: ReactNode
  /** Upload progress of each file, 0 to 1, by the key that the uploader reports. */
  progress: Record<string, number>
}

export type FormField<V extends FormValues> = CommonFieldProps<V> &
  (
    | { kind: 'text' | 'email'; placeholder?: string; prefix?: string; maxLength?: number }
    /** `current`: the existing password, which browsers fill in. `below`: content that depends on the input. */
    | { kind: 'password'; placeholder?: string; current?: true; below?: (typed: string) => ReactNode }
    | { kind: 'textarea'; placeholder?: string; rows?: number; limit?: number }
    | { kind: 'number'; min?: number; max?: number }
    | { kind: 'money'; currency: (values: V) => Currency }
    | { kind: 'switch' }
    | { kind: 'select'; options: FieldOption[]; placeholder?: string; clearable?: boolean }
    | { kind: 'multi-select'; options: FieldOption[]; placeholder?: string }
    | { kind: 'color' }
    | { kind: 'file'; accept: string; accepted: string; limit?: number }
    | { kind: 'date'; placeholder?: string }
    | { kind: 'custom'; render: (slot: FieldSlot<V>) => ReactNode }
  )
