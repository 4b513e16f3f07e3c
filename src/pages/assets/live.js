// Shows a new revision of the open page: when the subscription reports one, the page is read again and changed in place.
