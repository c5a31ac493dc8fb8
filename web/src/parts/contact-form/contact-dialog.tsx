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
  /** Whom to edit; without it a new contact is made. */
  contactId?: number | null | undefined
  onSaved?: ((contact: ContactDetail, isNew: boolean) => void) | undefined
  /** Somebody already has the number that was typed: take that one. Without it the dialog opens that contact. */
  onExisting?: ((contact: Contact) => void) | undefined
}

/**
 * A contact, new or known. Load it when it is first opened:
 * `lazy(() => import('…/contact-dialog.tsx').then((m) => ({ default: m.ContactDialog })))`, and give it a new `key` each time.
 */
export function ContactDialog(props: Props) {
  const words = useTexts(contactFormTexts)
  const client = useQueryClient()
  // Whoever finds that the number is taken may go on with the contact that has it.
  const [instead, setInstead] = useState<number | null>(null)
  const id = instead ?? props.contactId ?? null
  const found = useContactDetail(id, props.onClose)
  // Read again by whoever refreshes the page, it is the same form; only who takes contacts apart begins anew.
  const [begun, setBegun] = useState(0)
  const onSaved = (contact: ContactDetail, isNew: boolean) => {
    setCachedQuery(client, contactKey(contact.id), contact)
    props.onSaved?.(contact, isNew && instead === null)
  }
  const onExisting = (contact: Contact) => {
    if (!props.onExisting) return setInstead(contact.id)
    props.onExisting(contact)
    props.onClose()
  }
  if (id !== null && !found.data)
    return props.inline ? <FormSkeleton /> : <LoadingDialog opened={props.opened} onClose={props.onClose} />
  return (
    <ContactForm
      key={`${id}-${begun}`}
      opened={props.opened}
      inline={props.inline}
      onClose={props.onClose}
      initial={props.initial}
      contact={found.data?.contact ?? null}
      merges={found.data?.merges ?? []}
      onSaved={onSaved}
      existingAction={props.onExisting ? words.useExisting : words.openExisting}
      onExisting={onExisting}
      onSeparated={() => void found.refetch().then(() => setBegun((before) => before + 1))}
      onRemove={instead === null ? props.onRemove : undefined}
    />
  )
}

/** Each opening reads for itself: what the one before has read may be what it has changed since. */
let openingCount = 0

/** What the form starts with is read when it opens: a list knows neither the details nor who was joined. */
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

/** Nothing shows under 200 ms. */
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
