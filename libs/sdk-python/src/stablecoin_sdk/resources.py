# Written by npm run docs (apps/workspace/src/sdk-generator/python-sdk.ts), from docs/openapi.json.
"""The methods of a client, by resource: ``client.payouts.create_to_bank(...)``."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Literal, overload

from ._requester import Requester
from ._resource import Resource
from ._wire import OMITTED, Amount, Omitted, Upload
from .pages import Pages
from .types import (
    AccountPurpose,
    Asset,
    AssetType,
    BankPayoutMethod,
    BusinessInfo,
    BusinessOwnerParams,
    ChangedBusinessCustomer,
    ChangedIndividualCustomer,
    Checkpoint,
    ConsistencyProof,
    Currency,
    Customer,
    CustomerStatus,
    CustomerTransaction,
    CustomerType,
    Document,
    DocumentUpload,
    EmploymentStatus,
    Event,
    EventType,
    EventWithDeliveries,
    ExecutedSwap,
    FiatCurrency,
    IndividualFinances,
    LiabilityProof,
    Network,
    NewWebhook,
    NoPerson,
    Occupation,
    OpenedWallet,
    PastBalance,
    Payout,
    PayoutDryRun,
    PayoutMethod,
    PayoutPolicy,
    PersonalFields,
    PrintedAddress,
    PrintedBusinessFinances,
    Proof,
    Quote,
    RegisteredAddress,
    RotatedWebhook,
    SourceOfFunds,
    SwapDryRun,
    Transaction,
    TransactionExplanation,
    TransactionMode,
    TransactionStatus,
    TransactionType,
    Wallet,
    WalletPayoutMethod,
    Webhook,
    WebhookEventType,
    WebhookStatus,
    WebhookTest,
)
from .webhook_signatures import unwrap

AMOUNT_FIELDS = frozenset({"amount", "expected_monthly_income", "expected_monthly_payments_usd", "from_amount"})


class Customers(Resource):
    def list(
        self,
        *,
        status: CustomerStatus | None = None,
        customer_type: CustomerType | None = None,
        search: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Pages[Customer]:
        """List customers.

        Needs a key with the scope `read`.

        Args:
            status: Only customers in this state.
            customer_type: Only customers of this type.
            search: A whole e-mail address, phone number or id.
            page: Which page, from 1.
            limit: How many items a page has at most.
        """
        return self._list(
            "/customers",
            query={"status": status, "customer_type": customer_type, "search": search, "page": page, "limit": limit},
        )

    def get(self, customer_id: str) -> Customer:
        """Get one customer.

        Needs a key with the scope `read`.

        Args:
            customer_id: The customer.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
        """
        return self._get("/customers/{customerId}", parameters={"customerId": customer_id})["data"]

    def create_individual(
        self,
        *,
        first_name: str,
        last_name: str,
        email: str,
        phone: str,
        birth_date: str,
        account_purpose: AccountPurpose,
        employment_status: EmploymentStatus,
        expected_monthly_income: Amount,
        most_recent_occupation: Occupation,
        source_of_funds: SourceOfFunds,
        registered_address: RegisteredAddress,
        customer_type: Literal["individual"] | Omitted = OMITTED,
        middle_name: str | None | Omitted = OMITTED,
        phone_country_code: str | None | Omitted = OMITTED,
        account_purpose_explanation: str | None | Omitted = OMITTED,
        expected_monthly_payments_usd: Amount | None | Omitted = OMITTED,
        acting_as_intermediary: bool | None | Omitted = OMITTED,
        tax_identification_number: str | None | Omitted = OMITTED,
        documents: Sequence[DocumentUpload] | None | Omitted = OMITTED,
        user_documents: Sequence[DocumentUpload] | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> ChangedIndividualCustomer:
        """Create an individual customer.

        Needs a key with the scope `write`. Costs 3 of the rate limit, where most requests cost 1.

        Args:
            first_name: Given name.
            last_name: Family name.
            email: E-mail address, unique among your customers; compared in lower case.
            phone: Phone number with + and calling code, unique among your customers.
            birth_date: Date of birth; at least 18 years ago.
            account_purpose: What the account is for.
            employment_status: How the person earns a living.
            expected_monthly_income: Expected income in a month, in local currency: zero or more, at most 2 decimals.
            most_recent_occupation: Latest occupation: an SOC code, printed as its title.
            source_of_funds: Where the money comes from.
            registered_address: The registered address.
            customer_type: Whether the customer is a person or a business.
            middle_name: Middle name.
            phone_country_code: Calling code of the phone number.
            account_purpose_explanation: The same in your own words; line feeds and tabs allowed.
            expected_monthly_payments_usd: Expected payments in a month, in US dollars.
            acting_as_intermediary: Whether the person acts for someone else; false unless said.
            tax_identification_number: Tax number; kept encrypted, never printed.
            documents: KYC documents to attach.
            user_documents: Another name of documents; not together with it.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            DocumentUsedError: A customer has this document already; send the document again, and name the new
                document_id.
            EmailTakenError: Another customer has this e-mail address; use another one, or update that customer.
            PhoneTakenError: Another customer has this phone number; use another one, or update that customer.
            StorageQuotaReachedError: The merchant has as many documents stored as it may; ask the operator for a higher
                quota.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "POST",
            "/individual-customers",
            idempotency_key,
            fields={
                "first_name": first_name,
                "last_name": last_name,
                "email": email,
                "phone": phone,
                "birth_date": birth_date,
                "account_purpose": account_purpose,
                "employment_status": employment_status,
                "expected_monthly_income": expected_monthly_income,
                "most_recent_occupation": most_recent_occupation,
                "source_of_funds": source_of_funds,
                "registered_address": registered_address,
                "customer_type": customer_type,
                "middle_name": middle_name,
                "phone_country_code": phone_country_code,
                "account_purpose_explanation": account_purpose_explanation,
                "expected_monthly_payments_usd": expected_monthly_payments_usd,
                "acting_as_intermediary": acting_as_intermediary,
                "tax_identification_number": tax_identification_number,
                "documents": documents,
                "user_documents": user_documents,
            },
            amount_fields=AMOUNT_FIELDS,
        )["data"]

    def update_individual(
        self,
        customer_id: str,
        *,
        address: PrintedAddress | RegisteredAddress | Omitted = OMITTED,
        personal_info: PersonalFields | Omitted = OMITTED,
        financial_info: IndividualFinances | Omitted = OMITTED,
        customer_type: Literal["individual"] | Omitted = OMITTED,
        email: str | Omitted = OMITTED,
        phone: str | Omitted = OMITTED,
        phone_country_code: str | None | Omitted = OMITTED,
        account_purpose_explanation: str | None | Omitted = OMITTED,
        expected_monthly_payments_usd: Amount | None | Omitted = OMITTED,
        acting_as_intermediary: bool | None | Omitted = OMITTED,
        tax_identification_number: str | None | Omitted = OMITTED,
        registered_address: RegisteredAddress | Omitted = OMITTED,
        first_name: str | Omitted = OMITTED,
        middle_name: str | None | Omitted = OMITTED,
        last_name: str | Omitted = OMITTED,
        birth_date: str | Omitted = OMITTED,
        account_purpose: str | Omitted = OMITTED,
        employment_status: str | Omitted = OMITTED,
        expected_monthly_income: Amount | Omitted = OMITTED,
        most_recent_occupation: str | Omitted = OMITTED,
        source_of_funds: str | Omitted = OMITTED,
        documents: Sequence[DocumentUpload] | None | Omitted = OMITTED,
        user_documents: Sequence[DocumentUpload] | None | Omitted = OMITTED,
        id: object | Omitted = OMITTED,
        status: object | Omitted = OMITTED,
        kyc_status: object | Omitted = OMITTED,
        created_at: object | Omitted = OMITTED,
        updated_at: object | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> ChangedIndividualCustomer:
        """Update an individual customer; fields that are absent stay as they are.

        Needs a key with the scope `write`. Costs 3 of the rate limit, where most requests cost 1.

        Args:
            customer_id: The customer.
            address: The address as look-ups print it, in place of registered_address.
            personal_info: As look-ups print it; its fields may be sent at top level instead.
            financial_info: As look-ups print it; its fields may be sent at top level instead.
            customer_type: Whether the customer is a person or a business.
            email: E-mail address, unique among your customers; compared in lower case.
            phone: Phone number with + and calling code, unique among your customers.
            phone_country_code: Calling code of the phone number.
            account_purpose_explanation: The same in your own words; line feeds and tabs allowed.
            expected_monthly_payments_usd: Expected payments in a month, in US dollars.
            acting_as_intermediary: Whether the person acts for someone else; false unless said.
            tax_identification_number: Tax number; kept encrypted, never printed.
            registered_address: The registered address.
            first_name: Given name.
            middle_name: Middle name.
            last_name: Family name.
            birth_date: Date of birth; at least 18 years ago.
            account_purpose: What the account is for.
            employment_status: How the person earns a living.
            expected_monthly_income: Expected income in a month, in local currency: zero or more, at most 2 decimals.
            most_recent_occupation: Latest occupation: an SOC code, printed as its title.
            source_of_funds: Where the money comes from.
            documents: KYC documents to attach.
            user_documents: Another name of documents; not together with it.
            id: Printed by look-ups; taken back and left alone. Taken and left alone
            status: In which state it is. Taken and left alone
            kyc_status: How far the compliance review has come; payouts need approved. Taken and left alone
            created_at: When it was created. Taken and left alone
            updated_at: When it was last changed. Taken and left alone
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            CustomerTypeMismatchError: The customer is of the other type; use the endpoint for its customer_type.
            DocumentUsedError: A customer has this document already; send the document again, and name the new
                document_id.
            EmailTakenError: Another customer has this e-mail address; use another one, or update that customer.
            PhoneTakenError: Another customer has this phone number; use another one, or update that customer.
            StorageQuotaReachedError: The merchant has as many documents stored as it may; ask the operator for a higher
                quota.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            CustomerClosedError: The customer is closed; changes and movements are no longer possible.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "PUT",
            "/individual-customers/{customerId}",
            idempotency_key,
            parameters={"customerId": customer_id},
            fields={
                "address": address,
                "personal_info": personal_info,
                "financial_info": financial_info,
                "customer_type": customer_type,
                "email": email,
                "phone": phone,
                "phone_country_code": phone_country_code,
                "account_purpose_explanation": account_purpose_explanation,
                "expected_monthly_payments_usd": expected_monthly_payments_usd,
                "acting_as_intermediary": acting_as_intermediary,
                "tax_identification_number": tax_identification_number,
                "registered_address": registered_address,
                "first_name": first_name,
                "middle_name": middle_name,
                "last_name": last_name,
                "birth_date": birth_date,
                "account_purpose": account_purpose,
                "employment_status": employment_status,
                "expected_monthly_income": expected_monthly_income,
                "most_recent_occupation": most_recent_occupation,
                "source_of_funds": source_of_funds,
                "documents": documents,
                "user_documents": user_documents,
                "id": id,
                "status": status,
                "kyc_status": kyc_status,
                "created_at": created_at,
                "updated_at": updated_at,
            },
            amount_fields=AMOUNT_FIELDS,
        )["data"]

    def create_business(
        self,
        *,
        business_name: str,
        email: str,
        phone: str,
        customer_type: Literal["business"] | Omitted = OMITTED,
        business_type: str | None | Omitted = OMITTED,
        business_website: str | None | Omitted = OMITTED,
        phone_country_code: str | None | Omitted = OMITTED,
        account_purpose: str | None | Omitted = OMITTED,
        account_purpose_explanation: str | None | Omitted = OMITTED,
        source_of_funds: str | None | Omitted = OMITTED,
        expected_monthly_income: Amount | None | Omitted = OMITTED,
        expected_monthly_payments_usd: Amount | None | Omitted = OMITTED,
        estimated_annual_revenue_usd: str | None | Omitted = OMITTED,
        industry: str | None | Omitted = OMITTED,
        registered_address: RegisteredAddress | None | Omitted = OMITTED,
        trading_name: str | None | Omitted = OMITTED,
        nature_of_business: str | None | Omitted = OMITTED,
        contact_person_email: str | None | Omitted = OMITTED,
        contact_person_phone: str | None | Omitted = OMITTED,
        operates_in_prohibited_countries: bool | None | Omitted = OMITTED,
        is_dao: bool | None | Omitted = OMITTED,
        conducts_money_services: bool | None | Omitted = OMITTED,
        registration_number: str | None | Omitted = OMITTED,
        registration_date: str | None | Omitted = OMITTED,
        tax_identification_number: str | None | Omitted = OMITTED,
        documents: Sequence[DocumentUpload] | None | Omitted = OMITTED,
        user_documents: Sequence[DocumentUpload] | None | Omitted = OMITTED,
        business_owners: Sequence[BusinessOwnerParams] | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> ChangedBusinessCustomer:
        """Create a business customer.

        Needs a key with the scope `write`. Costs 3 of the rate limit, where most requests cost 1.

        Args:
            business_name: Registered name.
            email: E-mail address, unique among your customers; compared in lower case.
            phone: Phone number with + and calling code, unique among your customers.
            customer_type: Whether the customer is a person or a business.
            business_type: Legal form.
            business_website: Web site.
            phone_country_code: Calling code of the phone number.
            account_purpose: What the account is for.
            account_purpose_explanation: The same in your own words; line feeds and tabs allowed.
            source_of_funds: Where the money comes from.
            expected_monthly_income: Expected income in a month, in local currency: zero or more, at most 2 decimals.
            expected_monthly_payments_usd: Expected payments in a month, in US dollars.
            estimated_annual_revenue_usd: Revenue in a year, in US dollars, as a range.
            industry: Six-digit industry code.
            registered_address: The registered address.
            trading_name: Name under which the business trades.
            nature_of_business: What the business does; line feeds and tabs allowed.
            contact_person_email: E-mail address of whom to ask.
            contact_person_phone: Phone number of whom to ask.
            operates_in_prohibited_countries: Whether it does business in prohibited countries.
            is_dao: Whether it is a decentralised autonomous organisation.
            conducts_money_services: Whether it moves money for others.
            registration_number: Number in the companies register.
            registration_date: Day of registration.
            tax_identification_number: Tax number; kept encrypted, never printed.
            documents: KYC documents to attach.
            user_documents: Another name of documents; not together with it.
            business_owners: The persons who own or run the business.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            DocumentUsedError: A customer has this document already; send the document again, and name the new
                document_id.
            EmailTakenError: Another customer has this e-mail address; use another one, or update that customer.
            PhoneTakenError: Another customer has this phone number; use another one, or update that customer.
            StorageQuotaReachedError: The merchant has as many documents stored as it may; ask the operator for a higher
                quota.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "POST",
            "/business-customers",
            idempotency_key,
            fields={
                "business_name": business_name,
                "email": email,
                "phone": phone,
                "customer_type": customer_type,
                "business_type": business_type,
                "business_website": business_website,
                "phone_country_code": phone_country_code,
                "account_purpose": account_purpose,
                "account_purpose_explanation": account_purpose_explanation,
                "source_of_funds": source_of_funds,
                "expected_monthly_income": expected_monthly_income,
                "expected_monthly_payments_usd": expected_monthly_payments_usd,
                "estimated_annual_revenue_usd": estimated_annual_revenue_usd,
                "industry": industry,
                "registered_address": registered_address,
                "trading_name": trading_name,
                "nature_of_business": nature_of_business,
                "contact_person_email": contact_person_email,
                "contact_person_phone": contact_person_phone,
                "operates_in_prohibited_countries": operates_in_prohibited_countries,
                "is_dao": is_dao,
                "conducts_money_services": conducts_money_services,
                "registration_number": registration_number,
                "registration_date": registration_date,
                "tax_identification_number": tax_identification_number,
                "documents": documents,
                "user_documents": user_documents,
                "business_owners": business_owners,
            },
            amount_fields=AMOUNT_FIELDS,
        )["data"]

    def update_business(
        self,
        customer_id: str,
        *,
        address: PrintedAddress | RegisteredAddress | None | Omitted = OMITTED,
        personal_info: NoPerson | None | Omitted = OMITTED,
        financial_info: PrintedBusinessFinances | None | Omitted = OMITTED,
        business_info: BusinessInfo | None | Omitted = OMITTED,
        email: str | Omitted = OMITTED,
        phone: str | Omitted = OMITTED,
        customer_type: Literal["business"] | Omitted = OMITTED,
        phone_country_code: str | None | Omitted = OMITTED,
        account_purpose_explanation: str | None | Omitted = OMITTED,
        expected_monthly_payments_usd: Amount | None | Omitted = OMITTED,
        estimated_annual_revenue_usd: str | None | Omitted = OMITTED,
        industry: str | None | Omitted = OMITTED,
        registered_address: RegisteredAddress | None | Omitted = OMITTED,
        trading_name: str | None | Omitted = OMITTED,
        nature_of_business: str | None | Omitted = OMITTED,
        contact_person_email: str | None | Omitted = OMITTED,
        contact_person_phone: str | None | Omitted = OMITTED,
        operates_in_prohibited_countries: bool | None | Omitted = OMITTED,
        is_dao: bool | None | Omitted = OMITTED,
        conducts_money_services: bool | None | Omitted = OMITTED,
        registration_number: str | None | Omitted = OMITTED,
        registration_date: str | None | Omitted = OMITTED,
        tax_identification_number: str | None | Omitted = OMITTED,
        account_purpose: str | None | Omitted = OMITTED,
        expected_monthly_income: Amount | None | Omitted = OMITTED,
        source_of_funds: str | None | Omitted = OMITTED,
        business_name: str | Omitted = OMITTED,
        business_type: str | None | Omitted = OMITTED,
        business_website: str | None | Omitted = OMITTED,
        documents: Sequence[DocumentUpload] | None | Omitted = OMITTED,
        user_documents: Sequence[DocumentUpload] | None | Omitted = OMITTED,
        business_owners: Sequence[BusinessOwnerParams] | None | Omitted = OMITTED,
        id: object | Omitted = OMITTED,
        status: object | Omitted = OMITTED,
        kyc_status: object | Omitted = OMITTED,
        created_at: object | Omitted = OMITTED,
        updated_at: object | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> ChangedBusinessCustomer:
        """Update a business customer; fields that are absent stay as they are.

        Needs a key with the scope `write`. Costs 3 of the rate limit, where most requests cost 1.

        Args:
            customer_id: The customer.
            address: The address as look-ups print it, in place of registered_address.
            personal_info: As look-ups print it for a business: nothing but nulls.
            financial_info: As look-ups print it; its fields may be sent at top level instead.
            business_info: As look-ups print it; its fields may be sent at top level instead.
            email: E-mail address, unique among your customers; compared in lower case.
            phone: Phone number with + and calling code, unique among your customers.
            customer_type: Whether the customer is a person or a business.
            phone_country_code: Calling code of the phone number.
            account_purpose_explanation: The same in your own words; line feeds and tabs allowed.
            expected_monthly_payments_usd: Expected payments in a month, in US dollars.
            estimated_annual_revenue_usd: Revenue in a year, in US dollars, as a range.
            industry: Six-digit industry code.
            registered_address: The registered address.
            trading_name: Name under which the business trades.
            nature_of_business: What the business does; line feeds and tabs allowed.
            contact_person_email: E-mail address of whom to ask.
            contact_person_phone: Phone number of whom to ask.
            operates_in_prohibited_countries: Whether it does business in prohibited countries.
            is_dao: Whether it is a decentralised autonomous organisation.
            conducts_money_services: Whether it moves money for others.
            registration_number: Number in the companies register.
            registration_date: Day of registration.
            tax_identification_number: Tax number; kept encrypted, never printed.
            account_purpose: What the account is for.
            expected_monthly_income: Expected income in a month, in local currency: zero or more, at most 2 decimals.
            source_of_funds: Where the money comes from.
            business_name: Registered name.
            business_type: Legal form.
            business_website: Web site.
            documents: KYC documents to attach.
            user_documents: Another name of documents; not together with it.
            business_owners: The persons who own or run the business.
            id: Printed by look-ups; taken back and left alone. Taken and left alone
            status: In which state it is. Taken and left alone
            kyc_status: How far the compliance review has come; payouts need approved. Taken and left alone
            created_at: When it was created. Taken and left alone
            updated_at: When it was last changed. Taken and left alone
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            CustomerTypeMismatchError: The customer is of the other type; use the endpoint for its customer_type.
            DocumentUsedError: A customer has this document already; send the document again, and name the new
                document_id.
            EmailTakenError: Another customer has this e-mail address; use another one, or update that customer.
            PhoneTakenError: Another customer has this phone number; use another one, or update that customer.
            StorageQuotaReachedError: The merchant has as many documents stored as it may; ask the operator for a higher
                quota.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            CustomerClosedError: The customer is closed; changes and movements are no longer possible.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "PUT",
            "/business-customers/{customerId}",
            idempotency_key,
            parameters={"customerId": customer_id},
            fields={
                "address": address,
                "personal_info": personal_info,
                "financial_info": financial_info,
                "business_info": business_info,
                "email": email,
                "phone": phone,
                "customer_type": customer_type,
                "phone_country_code": phone_country_code,
                "account_purpose_explanation": account_purpose_explanation,
                "expected_monthly_payments_usd": expected_monthly_payments_usd,
                "estimated_annual_revenue_usd": estimated_annual_revenue_usd,
                "industry": industry,
                "registered_address": registered_address,
                "trading_name": trading_name,
                "nature_of_business": nature_of_business,
                "contact_person_email": contact_person_email,
                "contact_person_phone": contact_person_phone,
                "operates_in_prohibited_countries": operates_in_prohibited_countries,
                "is_dao": is_dao,
                "conducts_money_services": conducts_money_services,
                "registration_number": registration_number,
                "registration_date": registration_date,
                "tax_identification_number": tax_identification_number,
                "account_purpose": account_purpose,
                "expected_monthly_income": expected_monthly_income,
                "source_of_funds": source_of_funds,
                "business_name": business_name,
                "business_type": business_type,
                "business_website": business_website,
                "documents": documents,
                "user_documents": user_documents,
                "business_owners": business_owners,
                "id": id,
                "status": status,
                "kyc_status": kyc_status,
                "created_at": created_at,
                "updated_at": updated_at,
            },
            amount_fields=AMOUNT_FIELDS,
        )["data"]

    def close(self, customer_id: str, *, idempotency_key: str | None = None) -> Customer:
        """Close a customer for good.

        Needs a key with the scope `write`.

        Args:
            customer_id: The customer.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            CustomerNotEmptyError: The customer still has money or open payouts; move the money out, then close it.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "POST",
            "/customers/{customerId}/close",
            idempotency_key,
            parameters={"customerId": customer_id},
        )["data"]


class Documents(Resource):
    def upload(self, file: Upload, *, filename: str | None = None, idempotency_key: str | None = None) -> Document:
        """Send a document by itself, for a customer that will refer to it within a day.

        Needs a key with the scope `write`.

        Args:
            file: A PNG, JPEG or PDF of at most 5 MiB; its first bytes decide which. The only field.
            filename: Its name; by default that of the file.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            StorageQuotaReachedError: The merchant has as many documents stored as it may; ask the operator for a higher
                quota.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._upload("/documents", idempotency_key, file, filename)["data"]


class Wallets(Resource):
    def open(
        self,
        *,
        currency: Currency,
        description: str | None | Omitted = OMITTED,
        customer_id: str | None | Omitted = OMITTED,
        network: Network | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> OpenedWallet:
        """Create a wallet, or add a deposit address on a further network to the one that exists.

        Needs a key with the scope `write`.

        Args:
            currency: The currency.
            description: A note of your own.
            customer_id: Whose wallet: a customer's, or without it the merchant's own.
            network: For stablecoins: the network of the deposit address. Fiat wallets have none.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            WalletExistsError: The owner has this wallet already; use it, or name a network that it lacks.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            CustomerClosedError: The customer is closed; changes and movements are no longer possible.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "POST",
            "/wallets",
            idempotency_key,
            fields={"currency": currency, "description": description, "customer_id": customer_id, "network": network},
            amount_fields=AMOUNT_FIELDS,
        )["data"]

    def list(
        self,
        *,
        customer_id: str | None = None,
        currency: Currency | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Pages[Wallet]:
        """List the wallets of the merchant, or of one customer.

        Needs a key with the scope `read`.

        Args:
            customer_id: Wallets of this customer; without it the merchant's own.
            currency: Only the wallet in this currency.
            page: Which page, from 1.
            limit: How many items a page has at most.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
        """
        return self._list(
            "/wallets",
            query={"customer_id": customer_id, "currency": currency, "page": page, "limit": limit},
        )

    def get(self, wallet_id: str) -> Wallet:
        """Get one wallet.

        Needs a key with the scope `read`.

        Args:
            wallet_id: The wallet.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
        """
        return self._get("/wallets/{wallet_id}", parameters={"wallet_id": wallet_id})["data"]


class Assets(Resource):
    def list(self, *, asset_type: AssetType | None = None) -> builtins.list[Asset]:
        """List the supported assets.

        Needs a key with the scope `read`.

        Args:
            asset_type: Whether it is national currency or a stablecoin.
        """
        return self._get("/asset-codes", query={"asset_type": asset_type})["data"]


class Sandbox(Resource):
    def deposit(
        self,
        *,
        amount: Amount,
        wallet_id: str | Omitted = OMITTED,
        currency: Currency | None | Omitted = OMITTED,
        network: Network | None | Omitted = OMITTED,
        reference: str | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> Transaction:
        """Let a deposit arrive in a wallet.

        There is the wallet: `wallets.open`. Needs a key with the scope `write`.

        Args:
            amount: An amount as decimal text, positive, at most 8 decimals.
            wallet_id: The wallet in which the deposit arrives; or `currency` in its place.
            currency: Your own wallet in this currency, and no customer's. One of USDC, USDT, USD, NGN, GBP, EUR, CAD,
                in any case.
            network: Over which of its networks; left out, its first one.
            reference: A reference of your own; with `sandbox:hold` the deposit stays PENDING until you say what becomes
                of it.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            CustomerClosedError: The customer is closed; changes and movements are no longer possible.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
            WalletNotFoundError: The owner has no wallet in this currency; create it first.
        """
        return self._write(
            "POST",
            "/sandbox/deposits",
            idempotency_key,
            fields={
                "amount": amount,
                "wallet_id": wallet_id,
                "currency": currency,
                "network": network,
                "reference": reference,
            },
            amount_fields=AMOUNT_FIELDS,
        )["data"]

    def complete_deposit(self, deposit_id: str, *, idempotency_key: str | None = None) -> Transaction:
        """Let a pending deposit become final.

        Needs a key with the scope `write`.

        Args:
            deposit_id: The payout: its id or its transaction_id.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            InvalidTransitionError: The payout or deposit is not in a state that allows this, or its chain alone
                decides; look up its current status.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "POST",
            "/sandbox/deposits/{id}/complete",
            idempotency_key,
            parameters={"id": deposit_id},
        )["data"]

    def fail_deposit(self, deposit_id: str, *, idempotency_key: str | None = None) -> Transaction:
        """Let a pending deposit fail.

        Needs a key with the scope `write`.

        Args:
            deposit_id: The payout: its id or its transaction_id.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            InvalidTransitionError: The payout or deposit is not in a state that allows this, or its chain alone
                decides; look up its current status.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "POST",
            "/sandbox/deposits/{id}/fail",
            idempotency_key,
            parameters={"id": deposit_id},
        )["data"]

    def reverse_deposit(self, deposit_id: str, *, idempotency_key: str | None = None) -> Transaction:
        """Let a completed deposit be reversed, its money spent or not.

        Needs a key with the scope `write`.

        Args:
            deposit_id: The payout: its id or its transaction_id.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            InvalidTransitionError: The payout or deposit is not in a state that allows this, or its chain alone
                decides; look up its current status.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "POST",
            "/sandbox/deposits/{id}/reverse",
            idempotency_key,
            parameters={"id": deposit_id},
        )["data"]

    def complete_payout(self, payout_id: str, *, idempotency_key: str | None = None) -> Transaction:
        """Let a payout arrive.

        Needs a key with the scope `write`.

        Args:
            payout_id: The payout: its id or its transaction_id.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            InvalidTransitionError: The payout or deposit is not in a state that allows this, or its chain alone
                decides; look up its current status.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "POST",
            "/sandbox/payouts/{id}/complete",
            idempotency_key,
            parameters={"id": payout_id},
        )["data"]

    def fail_payout(self, payout_id: str, *, idempotency_key: str | None = None) -> Transaction:
        """Let a payout fail.

        Needs a key with the scope `write`.

        Args:
            payout_id: The payout: its id or its transaction_id.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            InvalidTransitionError: The payout or deposit is not in a state that allows this, or its chain alone
                decides; look up its current status.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write("POST", "/sandbox/payouts/{id}/fail", idempotency_key, parameters={"id": payout_id})["data"]

    def return_payout(self, payout_id: str, *, idempotency_key: str | None = None) -> Transaction:
        """Let a completed payout come back.

        Needs a key with the scope `write`.

        Args:
            payout_id: The payout: its id or its transaction_id.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            InvalidTransitionError: The payout or deposit is not in a state that allows this, or its chain alone
                decides; look up its current status.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "POST",
            "/sandbox/payouts/{id}/return",
            idempotency_key,
            parameters={"id": payout_id},
        )["data"]


class Quotes(Resource):
    def create(
        self,
        *,
        from_currency: Currency,
        to_currency: Currency,
        amount: Amount,
        customer_id: str | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> Quote:
        """Create a swap quote.

        Needs a key with the scope `write`. Costs 2 of the rate limit, where most requests cost 1.

        Args:
            from_currency: The currency given. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case.
            to_currency: The currency received. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case.
            amount: An amount as decimal text, positive, at most 8 decimals.
            customer_id: The customer that it belongs to or concerns; null or left out: the merchant itself.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            UnsupportedPairError: These two currencies can not be exchanged; name two different ones.
            AmountTooSmallError: The amount is too small to give anything in the other currency; raise it.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
            CustomerClosedError: The customer is closed; changes and movements are no longer possible.
        """
        return self._write(
            "POST",
            "/instant-swaps",
            idempotency_key,
            fields={
                "from_currency": from_currency,
                "to_currency": to_currency,
                "amount": amount,
                "customer_id": customer_id,
            },
            amount_fields=AMOUNT_FIELDS,
        )["data"]["data"]

    def refresh(
        self,
        swap_id: str,
        *,
        from_currency: Currency,
        to_currency: Currency,
        from_amount: Amount | Omitted = OMITTED,
        amount: Amount | Omitted = OMITTED,
        customer_id: str | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> Quote:
        """Refresh a quote: same id, new price and expiry.

        The quote was made for the same currencies and amount, with `quotes.create`, and is not used. Needs a key with
        the scope `write`. Costs 2 of the rate limit, where most requests cost 1.

        Args:
            swap_id: The quote, which is the swap once it is executed.
            from_currency: The currency given. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case.
            to_currency: The currency received. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case.
            from_amount: What the quote was made for; required unless amount says it.
            amount: Another name of from_amount.
            customer_id: The customer that it belongs to or concerns; null or left out: the merchant itself.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            QuoteUsedError: This quote was used already; create a new one.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            QuoteMismatchError: The quote is for other currencies or another amount; send those that it was made for.
            AmountTooSmallError: The amount is too small to give anything in the other currency; raise it.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
            CustomerClosedError: The customer is closed; changes and movements are no longer possible.
        """
        return self._write(
            "POST",
            "/swaps/{swapId}/refresh",
            idempotency_key,
            parameters={"swapId": swap_id},
            fields={
                "from_currency": from_currency,
                "to_currency": to_currency,
                "from_amount": from_amount,
                "amount": amount,
                "customer_id": customer_id,
            },
            amount_fields=AMOUNT_FIELDS,
        )["data"]["data"]


class Swaps(Resource):
    @overload
    def execute(
        self,
        *,
        from_currency: Currency,
        to_currency: Currency,
        amount: Amount,
        dry_run: Literal[True],
        customer_id: str | None | Omitted = OMITTED,
        quote_id: str | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> SwapDryRun: ...
    @overload
    def execute(
        self,
        *,
        from_currency: Currency,
        to_currency: Currency,
        amount: Amount,
        dry_run: Literal[False] | None | Omitted = OMITTED,
        customer_id: str | None | Omitted = OMITTED,
        quote_id: str | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> ExecutedSwap: ...
    @overload
    def execute(
        self,
        *,
        from_currency: Currency,
        to_currency: Currency,
        amount: Amount,
        dry_run: bool | None | Omitted = OMITTED,
        customer_id: str | None | Omitted = OMITTED,
        quote_id: str | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> ExecutedSwap | SwapDryRun: ...
    def execute(
        self,
        *,
        from_currency: Currency,
        to_currency: Currency,
        amount: Amount,
        dry_run: bool | None | Omitted = OMITTED,
        customer_id: str | None | Omitted = OMITTED,
        quote_id: str | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> ExecutedSwap | SwapDryRun:
        """Execute a swap, on the latest open quote of this owner, pair and amount, or on the one named.

        There is an open quote (`quotes.create`), a wallet in either currency (`wallets.open`), and the money in the
        first one. Needs a key with the scope `write`. Costs 3 of the rate limit, where most requests cost 1.

        Args:
            from_currency: The currency given. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case.
            to_currency: The currency received. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case.
            amount: An amount as decimal text, positive, at most 8 decimals.
            dry_run: True: nothing is written and no Idempotency-Key is used; the answer is the one that the request
                would get now.
            customer_id: The customer that it belongs to or concerns; null or left out: the merchant itself.
            quote_id: The quote to execute; without it, the latest open one of this owner, pair and amount.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            QuoteRequiredError: There is no open quote for this swap; create one first.
            QuoteUsedError: This quote was used already; create a new one.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            QuoteExpiredError: The quote has expired; refresh it and execute the swap again.
            QuoteMismatchError: The quote is for other currencies or another amount; send those that it was made for.
            UnsupportedPairError: These two currencies can not be exchanged; name two different ones.
            WalletNotFoundError: The owner has no wallet in this currency; create it first.
            CustomerClosedError: The customer is closed; changes and movements are no longer possible.
            InsufficientFundsError: The wallet does not hold enough for amount and fee; add money or lower the amount.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "POST",
            "/swaps",
            idempotency_key,
            fields={
                "from_currency": from_currency,
                "to_currency": to_currency,
                "amount": amount,
                "dry_run": dry_run,
                "customer_id": customer_id,
                "quote_id": quote_id,
            },
            amount_fields=AMOUNT_FIELDS,
        )["data"]

    def get(self, swap_id: str) -> Quote:
        """Get a quote, or the swap that was made of it.

        Needs a key with the scope `read`.

        Args:
            swap_id: The quote, which is the swap once it is executed.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
        """
        return self._get("/swaps/{swapId}", parameters={"swapId": swap_id})["data"]


class Payouts(Resource):
    @overload
    def create_to_bank(
        self,
        *,
        currency: Currency,
        account_number: str,
        bank_code: str,
        amount: Amount,
        recipient_name: str,
        customer_id: str | None | Omitted = OMITTED,
        bank_name: str | None | Omitted = OMITTED,
        recipient_currency: FiatCurrency | None | Omitted = OMITTED,
        recipient_country: str | None | Omitted = OMITTED,
        dry_run: Literal[True],
        idempotency_key: str | None = None,
    ) -> PayoutDryRun: ...
    @overload
    def create_to_bank(
        self,
        *,
        currency: Currency,
        account_number: str,
        bank_code: str,
        amount: Amount,
        recipient_name: str,
        customer_id: str | None | Omitted = OMITTED,
        bank_name: str | None | Omitted = OMITTED,
        recipient_currency: FiatCurrency | None | Omitted = OMITTED,
        recipient_country: str | None | Omitted = OMITTED,
        dry_run: Literal[False] | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> Payout: ...
    @overload
    def create_to_bank(
        self,
        *,
        currency: Currency,
        account_number: str,
        bank_code: str,
        amount: Amount,
        recipient_name: str,
        customer_id: str | None | Omitted = OMITTED,
        bank_name: str | None | Omitted = OMITTED,
        recipient_currency: FiatCurrency | None | Omitted = OMITTED,
        recipient_country: str | None | Omitted = OMITTED,
        dry_run: bool | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> Payout | PayoutDryRun: ...
    def create_to_bank(
        self,
        *,
        currency: Currency,
        account_number: str,
        bank_code: str,
        amount: Amount,
        recipient_name: str,
        customer_id: str | None | Omitted = OMITTED,
        bank_name: str | None | Omitted = OMITTED,
        recipient_currency: FiatCurrency | None | Omitted = OMITTED,
        recipient_country: str | None | Omitted = OMITTED,
        dry_run: bool | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> Payout | PayoutDryRun:
        """Withdraw to a bank account.

        There is enough in the wallet in this currency: in the sandbox, after `sandbox.deposit`. Needs a key with the
        scope `payout`.

        Args:
            currency: The currency. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case.
            account_number: Number of the bank account.
            bank_code: Code of the bank.
            amount: An amount as decimal text, positive, at most 8 decimals.
            recipient_name: Who is paid.
            customer_id: The customer that it belongs to or concerns; null or left out: the merchant itself.
            bank_name: Name of the bank.
            recipient_currency: Currency of the account that is paid; left out, that of the payout if fiat, else USD.
                One of USD, NGN, GBP, EUR, CAD, in any case.
            recipient_country: Country of the account that is paid.
            dry_run: True: nothing is written and no Idempotency-Key is used; the answer is the one that the request
                would get now.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            KycRequiredError: The customer is not approved yet; payouts are possible once kyc_status is approved.
            RailUnavailableError: No rail takes payouts of a live merchant there yet; nothing was held; ask your
                operator when there will be one.
            WalletNotFoundError: The owner has no wallet in this currency; create it first.
            CustomerClosedError: The customer is closed; changes and movements are no longer possible.
            LimitExceededError: The policy lets no such payout go out now; look the policy up, lower the amount, or wait
                until less has gone out.
            InsufficientFundsError: The wallet does not hold enough for amount and fee; add money or lower the amount.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "POST",
            "/payouts/banks",
            idempotency_key,
            fields={
                "currency": currency,
                "account_number": account_number,
                "bank_code": bank_code,
                "amount": amount,
                "recipient_name": recipient_name,
                "customer_id": customer_id,
                "bank_name": bank_name,
                "recipient_currency": recipient_currency,
                "recipient_country": recipient_country,
                "dry_run": dry_run,
            },
            amount_fields=AMOUNT_FIELDS,
        )["data"]

    @overload
    def create_to_wallet(
        self,
        *,
        currency: Literal["USDC", "USDT"],
        address: str,
        amount: Amount,
        network: Network,
        customer_id: str | None | Omitted = OMITTED,
        recipient_name: str | None | Omitted = OMITTED,
        dry_run: Literal[True],
        idempotency_key: str | None = None,
    ) -> PayoutDryRun: ...
    @overload
    def create_to_wallet(
        self,
        *,
        currency: Literal["USDC", "USDT"],
        address: str,
        amount: Amount,
        network: Network,
        customer_id: str | None | Omitted = OMITTED,
        recipient_name: str | None | Omitted = OMITTED,
        dry_run: Literal[False] | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> Payout: ...
    @overload
    def create_to_wallet(
        self,
        *,
        currency: Literal["USDC", "USDT"],
        address: str,
        amount: Amount,
        network: Network,
        customer_id: str | None | Omitted = OMITTED,
        recipient_name: str | None | Omitted = OMITTED,
        dry_run: bool | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> Payout | PayoutDryRun: ...
    def create_to_wallet(
        self,
        *,
        currency: Literal["USDC", "USDT"],
        address: str,
        amount: Amount,
        network: Network,
        customer_id: str | None | Omitted = OMITTED,
        recipient_name: str | None | Omitted = OMITTED,
        dry_run: bool | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> Payout | PayoutDryRun:
        """Withdraw to a crypto address.

        There is enough in the wallet in this currency: in the sandbox, after `sandbox.deposit`. Needs a key with the
        scope `payout`.

        Args:
            currency: The currency. One of USDC, USDT, in any case.
            address: The address to pay to; its checksum is checked.
            amount: The amount, as decimal text or as a number of at most 15 digits.
            network: The blockchain network, in lower case.
            customer_id: The customer that it belongs to or concerns; null or left out: the merchant itself.
            recipient_name: Who is paid.
            dry_run: True: nothing is written and no Idempotency-Key is used; the answer is the one that the request
                would get now.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            KycRequiredError: The customer is not approved yet; payouts are possible once kyc_status is approved.
            RailUnavailableError: No rail takes payouts of a live merchant there yet; nothing was held; ask your
                operator when there will be one.
            WalletNotFoundError: The owner has no wallet in this currency; create it first.
            CustomerClosedError: The customer is closed; changes and movements are no longer possible.
            LimitExceededError: The policy lets no such payout go out now; look the policy up, lower the amount, or wait
                until less has gone out.
            InsufficientFundsError: The wallet does not hold enough for amount and fee; add money or lower the amount.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "POST",
            "/payouts/wallets",
            idempotency_key,
            fields={
                "currency": currency,
                "address": address,
                "amount": amount,
                "network": network,
                "customer_id": customer_id,
                "recipient_name": recipient_name,
                "dry_run": dry_run,
            },
            amount_fields=AMOUNT_FIELDS,
        )["data"]

    def approve(self, transaction_id: str, *, approval_hash: str, idempotency_key: str | None = None) -> Transaction:
        """Approve a payout that waits for it.

        The payout waits for an approval (`waiting_for`), and another key has created it. The hash is the
        `approval_hash` that it shows. Needs a key with the scope `approve`.

        Args:
            transaction_id: Short identifier of the transaction.
            approval_hash: The approval_hash of the payout, as it is shown.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            ApproverNotAllowedError: Whose key this is has created the payout, or approved it before; have another
                person approve it.
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            InvalidTransitionError: The payout or deposit is not in a state that allows this, or its chain alone
                decides; look up its current status.
            ApprovalMismatchError: The payout sends something else than what was approved; look it up and approve the
                approval_hash that it shows.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "POST",
            "/payouts/{transaction_id}/approve",
            idempotency_key,
            parameters={"transaction_id": transaction_id},
            fields={"approval_hash": approval_hash},
            amount_fields=AMOUNT_FIELDS,
        )["data"]

    def reject(self, transaction_id: str, *, idempotency_key: str | None = None) -> Transaction:
        """Reject a payout that waits.

        The payout waits (`waiting_for`), and another key has created it. Needs a key with the scope `approve`.

        Args:
            transaction_id: Short identifier of the transaction.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            ApproverNotAllowedError: Whose key this is has created the payout, or approved it before; have another
                person approve it.
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            InvalidTransitionError: The payout or deposit is not in a state that allows this, or its chain alone
                decides; look up its current status.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "POST",
            "/payouts/{transaction_id}/reject",
            idempotency_key,
            parameters={"transaction_id": transaction_id},
        )["data"]


class Policy(Resource):
    def get(self) -> PayoutPolicy:
        """Get what you may pay out, and what needs an approval.

        Needs a key with the scope `read`.
        """
        return self._get("/policy")["data"]


class PayoutMethods(Resource):
    def list(
        self,
        *,
        customer_id: str | None = None,
        type: Literal["BANK", "WALLET"] | None = None,
        currency: Currency | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Pages[PayoutMethod]:
        """List saved payout methods, the merchant's and its customers'.

        Needs a key with the scope `read`.

        Args:
            customer_id: Only those of this customer.
            type: Only methods of this kind.
            currency: Only those in this currency. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case.
            page: Which page, from 1.
            limit: How many items a page has at most.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
        """
        return self._list(
            "/payout/methods",
            query={"customer_id": customer_id, "type": type, "currency": currency, "page": page, "limit": limit},
        )

    def add_bank(
        self,
        *,
        account_number: str,
        bank_code: str,
        currency: Currency,
        type: Literal["BANK"] | Omitted = OMITTED,
        account_name: str | None | Omitted = OMITTED,
        bank_name: str | None | Omitted = OMITTED,
        sort_code: str | None | Omitted = OMITTED,
        swift_code: str | None | Omitted = OMITTED,
        routing_number: str | None | Omitted = OMITTED,
        iban: str | None | Omitted = OMITTED,
        customer_id: str | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> BankPayoutMethod:
        """Save a bank account as payout method.

        Needs a key with the scope `write`.

        Args:
            account_number: Number of the bank account.
            bank_code: Code of the bank.
            currency: The currency. One of USDC, USDT, USD, NGN, GBP, EUR, CAD, in any case.
            type: What kind of method it is.
            account_name: Name on the account.
            bank_name: Name of the bank.
            sort_code: Sort code.
            swift_code: SWIFT code (BIC).
            routing_number: Routing number.
            iban: IBAN.
            customer_id: The customer that it belongs to or concerns; null or left out: the merchant itself.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            CustomerClosedError: The customer is closed; changes and movements are no longer possible.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "POST",
            "/payout/methods/banks",
            idempotency_key,
            fields={
                "account_number": account_number,
                "bank_code": bank_code,
                "currency": currency,
                "type": type,
                "account_name": account_name,
                "bank_name": bank_name,
                "sort_code": sort_code,
                "swift_code": swift_code,
                "routing_number": routing_number,
                "iban": iban,
                "customer_id": customer_id,
            },
            amount_fields=AMOUNT_FIELDS,
        )["data"]

    def add_wallet(
        self,
        *,
        wallet_address: str,
        network: Network,
        currency: Literal["USDC", "USDT"],
        type: Literal["WALLET"] | Omitted = OMITTED,
        customer_id: str | None | Omitted = OMITTED,
        label: str | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> WalletPayoutMethod:
        """Save a crypto address as payout method.

        Needs a key with the scope `write`.

        Args:
            wallet_address: The address to pay to; its checksum is checked.
            network: The blockchain network, in lower case.
            currency: The currency. One of USDC, USDT, in any case.
            type: What kind of method it is.
            customer_id: The customer that it belongs to or concerns; null or left out: the merchant itself.
            label: A name of your own for it.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            CustomerClosedError: The customer is closed; changes and movements are no longer possible.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "POST",
            "/payout/methods/wallets",
            idempotency_key,
            fields={
                "wallet_address": wallet_address,
                "network": network,
                "currency": currency,
                "type": type,
                "customer_id": customer_id,
                "label": label,
            },
            amount_fields=AMOUNT_FIELDS,
        )["data"]

    def delete(
        self,
        payout_method_id: str,
        *,
        customer_id: str | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> None:
        """Delete a payout method for good; a customer's only by naming that customer.

        Needs a key with the scope `write`.

        Args:
            payout_method_id: The payout method.
            customer_id: The owner of a customer's method; left out for the merchant's own.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
            CustomerClosedError: The customer is closed; changes and movements are no longer possible.
        """
        self._write(
            "DELETE",
            "/payout/methods/{payout_method_id}",
            idempotency_key,
            parameters={"payout_method_id": payout_method_id},
            fields={"customer_id": customer_id},
            amount_fields=AMOUNT_FIELDS,
            may_be_empty=True,
        )


class Transactions(Resource):
    def list(
        self,
        *,
        currency: Currency | None = None,
        end_date: str | None = None,
        customer_id: str | None = None,
        search: str | None = None,
        status: TransactionStatus | None = None,
        transaction_id: str | None = None,
        transaction_type: TransactionType | None = None,
        transaction_mode: TransactionMode | None = None,
        waiting_for: Literal["approval", "cooling_off"] | None = None,
        start_date: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> Pages[Transaction]:
        """List the merchant's transactions.

        Needs a key with the scope `read`. Costs 2 of the rate limit, where most requests cost 1.

        Args:
            currency: Only those in this currency.
            end_date: Last day, UTC, included; not before start_date.
            customer_id: Only those of this customer.
            search: A part of transaction_id or id, in any case; % and _ mean themselves.
            status: Only those in this state.
            transaction_id: Only the one with this short identifier.
            transaction_type: What kind of movement it is.
            transaction_mode: Whether the wallet gains or gives.
            waiting_for: Only payouts that wait for this.
            start_date: First day, UTC, included.
            page: Which page, from 1.
            limit: How many items a page has at most.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
        """
        return self._list(
            "/transactions",
            query={
                "currency": currency,
                "end_date": end_date,
                "customer_id": customer_id,
                "search": search,
                "status": status,
                "transaction_id": transaction_id,
                "transaction_type": transaction_type,
                "transaction_mode": transaction_mode,
                "waiting_for": waiting_for,
                "start_date": start_date,
                "page": page,
                "limit": limit,
            },
        )

    def list_by_customer(
        self,
        customer_id: str,
        *,
        currency: str | None = None,
        end_date: str | None = None,
        limit: int | None = None,
        search: str | None = None,
        status: TransactionStatus | None = None,
        transaction_type: TransactionType | None = None,
        transaction_mode: TransactionMode | None = None,
        waiting_for: Literal["approval", "cooling_off"] | None = None,
        start_date: str | None = None,
        page: int | None = None,
    ) -> Pages[CustomerTransaction]:
        """List one customer's transactions.

        Needs a key with the scope `read`. Costs 2 of the rate limit, where most requests cost 1.

        Args:
            customer_id: The customer.
            currency: Only those in this currency; an unknown one matches none.
            end_date: Last day, UTC, included; not before start_date.
            limit: How many items a page has at most.
            search: A part of transaction_id or id, in any case; % and _ mean themselves.
            status: Only those in this state.
            transaction_type: What kind of movement it is.
            transaction_mode: Whether the wallet gains or gives.
            waiting_for: Only payouts that wait for this.
            start_date: First day, UTC, included.
            page: Which page, from 1.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
        """
        return self._list(
            "/customers/transactions/by_customer_id/{customer_id}",
            parameters={"customer_id": customer_id},
            query={
                "currency": currency,
                "end_date": end_date,
                "limit": limit,
                "search": search,
                "status": status,
                "transaction_type": transaction_type,
                "transaction_mode": transaction_mode,
                "waiting_for": waiting_for,
                "start_date": start_date,
                "page": page,
            },
        )

    def get(self, transaction_id: str) -> Transaction:
        """Get one transaction by its short identifier.

        Needs a key with the scope `read`.

        Args:
            transaction_id: Short identifier of the transaction.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
        """
        return self._get(
            "/customers/transactions/by_txid/{transaction_id}",
            parameters={"transaction_id": transaction_id},
        )["data"]

    def list_by_reference(self, reference_id: str) -> builtins.list[Transaction]:
        """Get the transactions that share a reference.

        Needs a key with the scope `read`.

        Args:
            reference_id: The reference that they share.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
        """
        return self._get(
            "/customers/transactions/by_ref_id/{reference_id}",
            parameters={"reference_id": reference_id},
        )["data"]


class Webhooks(Resource):
    def create(
        self,
        *,
        url: str,
        events: Sequence[WebhookEventType] | None | Omitted = OMITTED,
        description: str | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> NewWebhook:
        """Register a URL that events are sent to.

        Needs a key with the scope `write`.

        Args:
            url: Where events are sent: https, or with a test key http on this machine.
            events: The types that are sent there; null or left out: all of them.
            description: A note of your own.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            WebhookLimitReachedError: There are as many webhooks as a merchant may have; delete one that is no longer
                needed.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "POST",
            "/webhooks",
            idempotency_key,
            fields={"url": url, "events": events, "description": description},
            amount_fields=AMOUNT_FIELDS,
        )["data"]

    def list(self, *, page: int | None = None, limit: int | None = None) -> Pages[Webhook]:
        """List webhooks.

        Needs a key with the scope `read`.

        Args:
            page: Which page, from 1.
            limit: How many items a page has at most.
        """
        return self._list("/webhooks", query={"page": page, "limit": limit})

    def get(self, webhook_id: str) -> Webhook:
        """Get one webhook.

        Needs a key with the scope `read`.

        Args:
            webhook_id: The webhook.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
        """
        return self._get("/webhooks/{webhook_id}", parameters={"webhook_id": webhook_id})["data"]

    def update(
        self,
        webhook_id: str,
        *,
        url: str | Omitted = OMITTED,
        events: Sequence[WebhookEventType] | None | Omitted = OMITTED,
        description: str | None | Omitted = OMITTED,
        status: WebhookStatus | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> Webhook:
        """Change, disable or enable a webhook; absent fields stay as they are.

        Needs a key with the scope `write`.

        Args:
            webhook_id: The webhook.
            url: Where events are sent: https, or with a test key http on this machine.
            events: The types that are sent there; null: all of them; left out: as before.
            description: A note of your own.
            status: Whether it is sent to. What happens while it is disabled is not sent later.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "PUT",
            "/webhooks/{webhook_id}",
            idempotency_key,
            parameters={"webhook_id": webhook_id},
            fields={"url": url, "events": events, "description": description, "status": status},
            amount_fields=AMOUNT_FIELDS,
        )["data"]

    def delete(self, webhook_id: str, *, idempotency_key: str | None = None) -> None:
        """Delete a webhook: nothing more is sent to it.

        Needs a key with the scope `write`.

        Args:
            webhook_id: The webhook.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        self._write("DELETE", "/webhooks/{webhook_id}", idempotency_key, parameters={"webhook_id": webhook_id})

    def rotate_secret(self, webhook_id: str, *, idempotency_key: str | None = None) -> RotatedWebhook:
        """Replace the secret of a webhook; the old one signs beside the new one for 24 hours.

        Needs a key with the scope `write`.

        Args:
            webhook_id: The webhook.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "POST",
            "/webhooks/{webhook_id}/rotate-secret",
            idempotency_key,
            parameters={"webhook_id": webhook_id},
        )["data"]

    def test(self, webhook_id: str, *, idempotency_key: str | None = None) -> WebhookTest:
        """Send a test event to a webhook, once, and wait up to three seconds for how it went; one at a time per
        webhook, two per merchant.

        Needs a key with the scope `write`. Costs 10 of the rate limit, where most requests cost 1.

        Args:
            webhook_id: The webhook.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "POST",
            "/webhooks/{webhook_id}/test",
            idempotency_key,
            parameters={"webhook_id": webhook_id},
        )["data"]

    unwrap = staticmethod(unwrap)


class Events(Resource):
    def list(self, *, type: EventType | None = None, page: int | None = None, limit: int | None = None) -> Pages[Event]:
        """List events.

        Needs a key with the scope `read`.

        Args:
            type: Only events of this type.
            page: Which page, from 1.
            limit: How many items a page has at most.
        """
        return self._list("/events", query={"type": type, "page": page, "limit": limit})

    def get(self, event_id: str) -> EventWithDeliveries:
        """Get one event, with how it fared at each webhook.

        Needs a key with the scope `read`.

        Args:
            event_id: The event.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
        """
        return self._get("/events/{event_id}", parameters={"event_id": event_id})["data"]

    def resend(self, event_id: str, *, idempotency_key: str | None = None) -> EventWithDeliveries:
        """Send an event again, under the same id, to every enabled webhook that takes its type.

        Needs a key with the scope `write`. Costs 10 of the rate limit, where most requests cost 1.

        Args:
            event_id: The event.
            idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all
                of them.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            PayloadTooLargeError: The body is too large; send at most 100 KiB, or for a customer 900 KB beside its
                documents, and 15 MiB with them.
            IdempotencyKeyReusedError: This Idempotency-Key was used with another request; take a new one.
        """
        return self._write(
            "POST",
            "/events/{event_id}/resend",
            idempotency_key,
            parameters={"event_id": event_id},
        )["data"]


class Audit(Resource):
    def balance(self, *, wallet_id: str, as_of: str | None = None) -> PastBalance:
        """Get what a wallet held at a time, or at a position of the log.

        Needs a key with the scope `read`. Costs 3 of the rate limit, where most requests cost 1.

        Args:
            wallet_id: The wallet.
            as_of: A time with its zone, or a position in the log; its own moment included, and not in the future; left
                out: now.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
        """
        return self._get("/audit/balances", query={"wallet_id": wallet_id, "as_of": as_of})["data"]

    def explain(self, transaction_id: str) -> TransactionExplanation:
        """Explain a transaction: the events of the log behind it.

        Needs a key with the scope `read`. Costs 3 of the rate limit, where most requests cost 1.

        Args:
            transaction_id: Short identifier of the transaction.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
        """
        return self._get("/audit/transactions/{transaction_id}", parameters={"transaction_id": transaction_id})["data"]

    def prove(self, transaction_id: str) -> Proof:
        """Prove a transaction: a document that is checked without us.

        Needs a key with the scope `read`. Costs 5 of the rate limit, where most requests cost 1.

        Args:
            transaction_id: Short identifier of the transaction.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            ProofPendingError: There is no proof yet; ask again after the next checkpoint.
        """
        return self._get("/audit/proofs/{transaction_id}", parameters={"transaction_id": transaction_id})["data"]

    def prove_liability(self, wallet_id: str) -> LiabilityProof:
        """Prove that a wallet is counted in what we have signed that we owe.

        Needs a key with the scope `read`. Costs 5 of the rate limit, where most requests cost 1.

        Args:
            wallet_id: The wallet.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
            ProofPendingError: There is no proof yet; ask again after the next checkpoint.
        """
        return self._get("/audit/liabilities/{wallet_id}", parameters={"wallet_id": wallet_id})["data"]

    def checkpoints(self, *, page: int | None = None, limit: int | None = None) -> Pages[Checkpoint]:
        """List what has been signed of the log that the merchant's events are in.

        Needs a key with the scope `read`.

        Args:
            page: Which page, from 1.
            limit: How many items a page has at most.
        """
        return self._list("/audit/checkpoints", query={"page": page, "limit": limit})

    def consistency(self, *, from_: int, to: int) -> ConsistencyProof:
        """Prove that the log has only grown from one checkpoint to another.

        Needs a key with the scope `read`. Costs 5 of the rate limit, where most requests cost 1.

        Args:
            from_: Size of the older checkpoint.
            to: Size of the newer checkpoint.

        Raises:
            NotFoundError: There is nothing here for this API key; check the path and the ids in the request.
        """
        return self._get("/audit/consistency", query={"from": from_, "to": to})["data"]


class Resources(Resource):
    def _use(self, requester: Requester) -> None:
        self._requester = requester
        self.customers = Customers(requester)
        self.documents = Documents(requester)
        self.wallets = Wallets(requester)
        self.assets = Assets(requester)
        self.sandbox = Sandbox(requester)
        self.quotes = Quotes(requester)
        self.swaps = Swaps(requester)
        self.payouts = Payouts(requester)
        self.policy = Policy(requester)
        self.payout_methods = PayoutMethods(requester)
        self.transactions = Transactions(requester)
        self.webhooks = Webhooks(requester)
        self.events = Events(requester)
        self.audit = Audit(requester)
