import type { Contact } from '@recado/contract/contacts'
import { useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { findContactByNumber } from './find-contact-by-number.ts'

export type DuplicateContact = ReturnType<typeof useDuplicateContact>

/** The contact that has the number, while the refused number is still in the field. */
export function useDuplicateContact() {
  const [state, setState] = useState<{ number: string; contact: Contact | null }>({ number: '', contact: null })
  return {
    findFor: (number: string) => (number === state.number ? state.contact : null),
    async watchSave<T>(number: string, save: () => Promise<T>): Promise<T> {
      try {
        return await save()
      } catch (error) {
        if (error instanceof ApiError && error.code === 'ERR_DUPLICATED_CONTACT')
          setState({ number, contact: await findContactByNumber(number) })
        throw error
      }
    },
  }
}
