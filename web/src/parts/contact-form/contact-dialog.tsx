import { Modal, Skeleton } from '@mantine/core'
import { type Contact, type ContactDetail, contactsApi } from '@recado/contract/contacts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { setCachedQuery } from '../../lib/query-cache.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { contactKey } from '../use-contact.ts'
import classes from './contact-form.module.css'
import { ContactForm, type ContactFormProps } from './contact-form.tsx'
import { contactFormTexts } from './texts.ts'

type Props = Pick<ContactFormProps, 'opened' | 'onClose' | 'initial' | 'onRemove' | 'inline'> & {
  /** The contact to edit; if absent, a new contact is created. */
  contactId?: number | null | undefined
  onSaved?: ((contact: ContactDetail, isNew: boolean) => void) | undefined
  /** Called with the contact that already has the typed number. If absent, the dialog opens that contact. */
  onUseExisting?: ((contact: Contact) => void) | undefined
}

/**
 * A dialog for a new or existing contact. Load it on first use:
 * `lazy(() => import('…/contact-dialog.tsx').then((m) => ({ default: m.ContactDialog })))`, with a new `key` each time.
 */
export function ContactDialog(props: Props) {
  const words = useTexts(contactFormTexts)
  const client = useQueryClient()
  // If another contact has the number, the user may continue with that contact.
  const [instead, setInstead] = useState<number | null>(null)
  const id = instead ?? props.contactId ?? null
  const detailQuery = useContactDetail(id, props.onClose)
  // A reload of the data keeps the form; the form restarts only when merged contacts are separated.
  const [formVersion, setFormVersion] = useState(0)
  const onSaved = (contact: ContactDetail, isNew: boolean) => {
    setCachedQuery(client, contactKey(contact.id), contact)
    props.onSaved?.(contact, isNew && instead === null)
  }
  const onExisting = (contact: Contact) => {
    if (!props.onUseExisting) return setInstead(contact.id)
    props.onUseExisting(contact)
    props.onClose()
  }
  if (id !== null && !detailQuery.data)
    return props.inline ? <FormSkeleton /> : <LoadingDialog opened={props.opened} onClose={props.onClose} />
  return (
    <ContactForm
      key={`${id}-${formVersion}`}
      opened={props.opened}
      inline={props.inline}
      onClose={props.onClose}
      initial={props.initial}
      contact={detailQuery.data?.contact ?? null}
      merges={detailQuery.data?.merges ?? []}
      onSaved={onSaved}
      existingAction={props.onUseExisting ? words.useExisting : words.openExisting}
      onUseExisting={onExisting}
      onSeparated={() => void detailQuery.refetch().then(() => setFormVersion((before) => before + 1))}
      onRemove={instead === null ? props.onRemove : undefined}
    />
  )
}

/** Each opening of the dialog has its own query: cached data of an earlier opening may be outdated. */
let openingCount = 0

/** Loads the full contact on opening: lists contain neither details nor merges. */
function useContactDetail(id: number | null, onGone: () => void) {
  const [opening] = useState(() => ++openingCount)
  const query = useQuery({
    queryKey: ['contact-form', id, opening],
    queryFn: async ({ signal }) => {
      const given = { params: { id: id as number } }
      const [contact, merges] = await Promise.all([
        callApi(contactsApi.show, given, { signal }),
        callApi(contactsApi.merges, given, { signal }),
      ])
      return { contact, merges }
    },
    enabled: id !== null,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const fail = useEffectEvent((error: unknown) => {
    toast.error(error)
    onGone()
  })
  useEffect(() => {
    if (query.error) fail(query.error)
  }, [query.error])
  return query
}

/** The loading dialog appears only after 200 ms. */
function LoadingDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const words = useTexts(contactFormTexts)
  const sheet = useIsPhone()
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Modal
      opened={opened && late}
      onClose={onClose}
      size={440}
      fullScreen={sheet}
      title={words.loading}
      withCloseButton={false}
      transitionProps={{ duration: 0 }}
    >
      <FormSkeleton />
    </Modal>
  )
}

const FormSkeleton = () => (
  <div className={classes.bones}>
    {[0, 1, 2].map((i) => (
      <Skeleton key={i} height={34} />
    ))}
  </div>
)
