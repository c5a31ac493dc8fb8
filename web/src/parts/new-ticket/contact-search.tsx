import { Combobox, InputBase, Loader, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { contactsApi, extractDigits } from '@recado/contract/contacts'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { FieldError } from '../../ui/text-field.tsx'
import { ContactAvatar } from '../contact-avatar.tsx'
import { formatPhoneNumber } from '../phone-number.ts'
import classes from './new-ticket.module.css'
import { newTicketTexts } from './texts.ts'

export type SelectedContact = { id: number; name: string; number: string }

/** Search limits (spec, sections 5 and 9). */
const minSearchLength = 3
const searchDebounceMs = 500
const addValue = 'add'

type Props = {
  contact: SelectedContact | null
  isMissing: boolean
  onChange: (person: SelectedContact | null) => void
  /** Called to create a contact when there is no match. */
  onAdd?: (name: string, number: string) => void
  /** Excludes groups. */
  withoutGroups?: boolean
  /** Whether the choice is optional: it can be cleared, and the field does not take the focus. */
  optional?: boolean
}

/** Finds a contact by the first letters or the number; a missing contact can be created. */
export function ContactSearch({
  contact: person,
  isMissing,
  onChange,
  onAdd,
  withoutGroups = false,
  optional = false,
}: Props) {
  const words = useTexts(newTicketTexts)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim().toLowerCase(), searchDebounceMs)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const enabled = search.length >= minSearchLength && !person
  const searchQuery = useQuery({
    queryKey: ['contacts', 'search', search],
    queryFn: ({ signal }) => callApi(contactsApi.list, { query: { searchParam: search, pageNumber: 1 } }, { signal }),
    enabled,
    staleTime: 0,
  })
  const all = enabled ? (searchQuery.data?.contacts ?? []) : []
  const people = withoutGroups ? all.filter((one) => !one.isGroup) : all
  const searchText = typed.trim()
  function pickContact(value: string): void {
    combobox.closeDropdown()
    const number = extractDigits(searchText)
    // A text without letters is a number; any other text is a name.
    const isNumber = number.length >= 8 && !/\p{L}/u.test(searchText)
    const chosen = people.find((one) => String(one.id) === value)
    if (value === addValue) onAdd?.(isNumber ? '' : searchText, isNumber ? number : '')
    else if (chosen) onChange({ id: chosen.id, name: chosen.name, number: chosen.number })
  }
  function type(text: string): void {
    setTyped(text)
    if (person) onChange(null)
    combobox.openDropdown()
  }
  return (
    <Combobox store={combobox} onOptionSubmit={pickContact} withinPortal={!optional}>
      <Combobox.Target>
        <InputBase
          label={words.contact}
          required={!optional}
          placeholder={words.contactType}
          value={person?.name ?? typed}
          autoComplete="off"
          data-autofocus={(!optional && !person) || undefined}
          rightSection={searchQuery.isFetching && <Loader size={14} />}
          error={isMissing && <FieldError>{words.contactMissing}</FieldError>}
          onChange={(event) => type(event.currentTarget.value)}
          onFocus={() => enabled && combobox.openDropdown()}
          onBlur={() => {
            combobox.closeDropdown()
            // A text that selected no contact is cleared, because it must not look like an active filter.
            if (optional && !person) setTyped('')
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!enabled}>
        <Combobox.Options mah={280} className={classes.options ?? ''}>
          {people.map((one) => (
            <Combobox.Option key={one.id} value={String(one.id)} className={classes.person ?? ''}>
              <ContactAvatar contact={one} size={28} isGroup={one.isGroup} />
              <span>
                <b>{one.name}</b>
                <small>{formatPhoneNumber(one.number)}</small>
              </span>
            </Combobox.Option>
          ))}
          {people.length === 0 && (
            <Combobox.Empty>{searchQuery.isFetching ? words.searching : words.nobody}</Combobox.Empty>
          )}
          {onAdd && searchQuery.isSuccess && searchText !== '' && (
            <Combobox.Option value={addValue} className={classes.add ?? ''}>
              <IconPlus size={16} stroke={1.75} aria-hidden="true" />
              {words.addContact(searchText)}
            </Combobox.Option>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
