import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient, router } from './router';
import { applyTheme, chosenTheme } from './shell/theme';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/screens.css';
import './styles/operator.css';
import './styles/charts.css';
import './styles/orders.css';
import { ZoneProvider } from './times/moment';

applyTheme(chosenTheme());
const place = document.getElementById('console');
if (place === null) throw new Error('index.html has no place for the console');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ZoneProvider>
        <RouterProvider router={router} />
      </ZoneProvider>
    </QueryClientProvider>
  </StrictMode>,
);
