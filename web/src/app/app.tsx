import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { readStyleNonce } from '../lib/nonce.ts'
import { SessionProvider, useSession } from '../lib/session.tsx'
import { cssVariablesResolver, theme } from '../ui/theme/theme.ts'
import { useIsPhone } from '../ui/use-is-phone.ts'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'

const colorSchemeManager = localStorageColorSchemeManager({ key: 'preferredTheme' })

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      getStyleNonce={readStyleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <ClearQueriesOnLogout />
          <RouterProvider router={router} />
        </SessionProvider>
      </QueryClientProvider>
      <Toasts />
    </MantineProvider>
  )
}

/** Cached data of one user must not be visible to the next user of this browser, who may be of another company. */
function ClearQueriesOnLogout() {
  const { status } = useSession()
  useEffect(() => {
    if (status === 'out') queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== 'version' })
  }, [status])
  return null
}

function Toasts() {
  const phone = useIsPhone()
  return (
    <Notifications
      position={phone ? 'top-center' : 'bottom-right'}
      containerWidth={340}
      limit={3}
      transitionDuration={160}
    />
  )
}
