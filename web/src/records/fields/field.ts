import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'

export type FormValues = Record<string, unknown>
export type FieldOption = { value: string; label: string }

type CommonFieldProps<V extends FormValues> = {
  name: keyof V & string
  label: string
  help?: ReactNode
  required?: boolean
  /** A part of a line, where there is room. */
  span?: 'half' | 'third' | 'two-thirds'
  /** The tab it stands in, in a form that has tabs. */
  tab?: string
  /** Left out of the form while this says no. */
  when?: (values: V) => boolean
}

/** A file in a form: one just chosen, the one that is stored, or none. */
export type FileValue = { file: File | null; stored: StoredFile | null }
/** Addresses of files run out; `renew` asks for one that works. */
export type StoredFile = { name: string; url: string; renew?: () => Promise<string | null> }

/** What a custom field receives. */
export type FieldSlot<V extends FormValues> = {
  form: UseFormReturnType<V>
  name: keyof V & string
  error: ReactNode
  /** What has been sent of each file, 0 to 1, by the key its sender gave it. */
  progress: Record<string, number>
}

export type FormField<V extends FormValues> = CommonFieldProps<V> &
  (
    | { kind: 'text' | 'email'; placeholder?: string; prefix?: string; maxLength?: number }
    /** `current`: the one they have, which browsers fill in. `below` says something of what is typed. */
    | { kind: 'password'; placeholder?: string; current?: true; below?: (typed: string) => ReactNode }
    | { kind: 'textarea'; placeholder?: string; rows?: number; limit?: number }
    | { kind: 'number'; min?: number; max?: number }
    | { kind: 'money' }
    | { kind: 'switch' }
    | { kind: 'select'; options: FieldOption[]; placeholder?: string; clearable?: boolean }
    | { kind: 'multi-select'; options: FieldOption[]; placeholder?: string }
    | { kind: 'color' }
    | { kind: 'file'; accept: string; accepted: string; limit?: number }
    | { kind: 'date'; placeholder?: string }
    | { kind: 'custom'; render: (slot: FieldSlot<V>) => ReactNode }
  )
