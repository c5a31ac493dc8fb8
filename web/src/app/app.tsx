import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { styleNonce } from '../lib/nonce.ts'
import { SessionProvider, useSession } from '../lib/session.tsx'
import { resolver, theme } from '../ui/theme/theme.ts'
import { usePhone } from '../ui/use-phone.ts'
import { queries } from './queries.ts'
import { router } from './router.tsx'

const schemes = localStorageColorSchemeManager({ key: 'preferredTheme' })

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolver}
      defaultColorScheme="auto"
      colorSchemeManager={schemes}
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queries}>
        <SessionProvider>
          <ForgetWithTheSession />
          <RouterProvider router={router} />
        </SessionProvider>
      </QueryClientProvider>
      <Toasts />
    </MantineProvider>
  )
}

/** What one person has read must not be there for the next one at this browser, who may be of another company. */
function ForgetWithTheSession() {
  const { status } = useSession()
  useEffect(() => {
    if (status === 'out') queries.removeQueries({ predicate: (query) => query.queryKey[0] !== 'version' })
  }, [status])
  return null
}

function Toasts() {
  const phone = usePhone()
  return (
    <Notifications
      position={phone ? 'top-center' : 'bottom-right'}
      containerWidth={340}
      limit={3}
      transitionDuration={160}
    />
  )
}
